/** No line ends between a number and its unit: `0.1 SOL`, `1.23K FROG`. */
export function keepUnits(text: string): string {
  return text.replace(/(\d\w?) (?=[A-Z]{2})/g, '$1\u00A0');
}
