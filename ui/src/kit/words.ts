/** "1 reservation", "3 reservations". */
export function amountOf(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString()} ${amount === 1 ? one : many}`;
}
