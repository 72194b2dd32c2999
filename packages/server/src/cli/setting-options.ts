// Command-line options for settings.

import type { Command } from "commander";
import type { ConfigSources } from "../config/config.ts";
import { envName, kebab, SETTINGS, type Setting, type SettingKey } from "../config/settings.ts";
import type { GivenOptions } from "./command-context.ts";
import type { Terminal } from "./terminal.ts";

/** Adds an option for each setting, and `--config`. Secrets have none: other processes can read options. */
export function settingOptions(command: Command, keys: readonly SettingKey[]): Command {
  for (const key of keys) {
    const setting: Setting = SETTINGS[key];
    const about = `${setting.about} (${envName(key)}; ${defaultOf(setting)})`;
    if (!setting.isSecret) command.option(`--${kebab(key)} <value>`, about);
  }
  return command.option("--config <file>", `JSON file of settings (${envName("config")})`);
}

/** As text only: a default known to commander would override the environment and the file. */
function defaultOf({ fallback, without }: Setting): string {
  const isNone = Array.isArray(fallback) && fallback.length === 0;
  const text = isNone ? "none" : (fallback ?? without);
  return text === undefined ? "no default" : `default: ${text}`;
}

/** The options that are settings, and the environment. */
export function sourcesOf(options: GivenOptions, { env }: Terminal): ConfigSources {
  const flags = Object.entries(options).flatMap(([name, value]) => {
    const key = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const isSetting = key === "config" || Object.hasOwn(SETTINGS, key);
    return isSetting && typeof value === "string" ? [[key, value] as const] : [];
  });
  return { flags: Object.fromEntries(flags), env };
}
