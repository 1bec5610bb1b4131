import { writeSync } from 'node:fs'
import { codeOf } from '../../schemas/unknown.js'

const pauseMs = 5
const maxWaits = 40
const pause = new Int32Array(new SharedArrayBuffer(4))

/** @throws Error of the system; what was written of the text by then stays */
const writeWhole = (fd: number, text: string): void => {
  const bytes = Buffer.from(text)
  let waits = 0
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at)
    } catch (error) {
      // A pipe whose reader is slow has room again soon.
      if (codeOf(error) !== 'EAGAIN' || ++waits > maxWaits) throw error
      Atomics.wait(pause, 0, 0, pauseMs)
    }
  }
}

/**
 * The log's way out. Where it cannot be written, because a disk is full or a reader is gone, lines are lost, and
 * counted once it can: pino's own stream would end the process then, or wait without end for room.
 */
export const logTo = (fd: number) => {
  let lost = 0
  const lossNotice = (): string => {
    const line = { level: 40, time: Date.now(), lost, msg: 'lines of the log were lost' }
    // The last of them may have been cut.
    return lost === 0 ? '' : `\n${JSON.stringify(line)}\n`
  }
  return {
    write (line: string): void {
      try {
        writeWhole(fd, lossNotice() + line)
        lost = 0
      } catch {
        lost++
      }
    }
  }
}
