// Auth.js behind a declaration of our own: its types bring those of browsers, which no test here may see.

export { Auth } from "@auth/core";
