/** Far above any row; a file without line ends does not fill the memory. */
const maxBytes = 67_108_864

/**
 * @returns the lines of a stream, each without its end; `undefined` last where the last line has no end
 * @throws RangeError for a line that is too long
 */
export async function * linesOf (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer | undefined> {
  let parts: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let end; (end = chunk.indexOf(10, from)) >= 0; from = end + 1) {
      yield Buffer.concat([...parts, chunk.subarray(from, end)])
      parts = []
      bytes = 0
    }
    parts.push(chunk.subarray(from))
    bytes += chunk.length - from
    if (bytes > maxBytes) throw new RangeError('A line is too long')
  }
  if (bytes > 0) yield undefined
}
