import { Conversation } from '../conversation.js'
import { chaosLimits } from '../limits.js'
import { unless, type Path } from './path.js'

const long = 'so much to say '.repeat(1_800)

/** A person says so much that the conversation is compacted. */
export const compaction: Path = {
  areas: ['compaction'],
  settings: { LIMITS: JSON.stringify({ ...chaosLimits, context_tokens: 44_000 }) },
  async prepare (_t, survivor) {
    return async () => {
      const conversation = new Conversation(survivor.url)
      const ends = []
      let compacted = 0
      for (let turn = 0; turn < 3; turn++) {
        ends.push(await conversation.say(`${turn}: ${long}`))
        compacted += conversation.seen.filter(({ event }) => event === 'compacted').length
      }
      return [
        ...unless(ends.every(({ status }) => status === 'completed'), 'a run did not complete'),
        ...unless(compacted === 1, `it was compacted ${compacted} times`),
        ...await conversation.compare(survivor.url)
      ]
    }
  }
}
