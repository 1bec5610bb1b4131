const dayMs = 86_400_000

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** @returns so many days up to today, today among them, as AWS counts days: in UTC */
export const lastDays = (days: number) =>
  ({ start_date: dayOf(Date.now() - (days - 1) * dayMs), end_date: dayOf(Date.now()) })

/** @returns as many days just before a range, both of whose ends belong to it */
export const daysBefore = (start: string, end: string) => {
  const [first, last] = [Date.parse(start), Date.parse(end)]
  return { start_date: dayOf(first - (last - first) - dayMs), end_date: dayOf(first - dayMs) }
}
