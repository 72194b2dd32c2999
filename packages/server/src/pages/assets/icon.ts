// The icon of the pages: the dot that every domain name has, in a frame.

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#125b4b"/><path d="M7 22h11" stroke="#fff" stroke-width="3" stroke-linecap="round"/><circle cx="23" cy="20.5" r="3" fill="#8ddcc3"/></svg>
`;
