/** Keeps head and tail, and says how much is missing. */
export const cutText = (text: string, maxBytes: number): string => {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  const half = Math.floor((maxBytes - 80) / 2)
  const left = bytes.length - 2 * half
  const head = bytes.subarray(0, half).toString('utf8')
  const tail = bytes.subarray(-half).toString('utf8')
  return `${head}\n… ${left} bytes left out; ask for less (filters, limit, next page) …\n${tail}`.toWellFormed()
}
