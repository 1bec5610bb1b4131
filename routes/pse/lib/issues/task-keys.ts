import { createHash } from 'node:crypto'
import type { SpecDocument } from 'steward-spec-engine/schemas'

type Task = SpecDocument['tasks'][number]

/** A task is the same one in a later version when it builds, or verifies, the same requirements. */
const wordsOf = ({ title, requirement_ids: ids }: Task): string =>
  ids.length === 0 ? title : `${/^\w+(?: by \w+)?/.exec(title)?.[0] ?? ''} ${ids.join(' ')}`

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** @returns a key for each task that holds in all versions; tasks of the same words are counted */
export const taskKeysOf = (tasks: readonly Task[]): Map<string, string> => {
  const counts = new Map<string, number>()
  return new Map(tasks.map((task) => {
    const words = wordsOf(task)
    const count = (counts.get(words) ?? 0) + 1
    counts.set(words, count)
    return [task.id, digest(count === 1 ? words : `${words} #${count}`)]
  }))
}
