const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/** The languages that one meets first; any other can be written. */
export const commonLocales = ["en", "de", "it", "fr", "es", "pt", "pt-BR", "nl", "pl", "ja", "zh-Hans"];

const LOCALE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;

export function isLocale(text: string): boolean {
  return LOCALE.test(text);
}

/** "Italian (it)"; nobody's language in particular is everybody else's. */
export function localeInWords(locale: string): string {
  if (locale === "") return "every language";
  const name = isLocale(locale) ? names.of(locale) : undefined;
  return name === undefined ? locale : `${name} (${locale})`;
}
