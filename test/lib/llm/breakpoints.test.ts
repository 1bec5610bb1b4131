import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import t from '../../tap.js'
import { markPrefixes } from '../../../lib/llm/encode-request.js'

const message = (role: 'user' | 'assistant', blocks: number): MessageParam =>
  ({ role, content: Array.from({ length: blocks }, (_, index) => ({ type: 'text', text: `${role} ${index}` })) })

const marksIn = (messages: MessageParam[]) => messages.flatMap(({ content }, at) =>
  typeof content === 'string' ? [] : content.flatMap((block, index) => 'cache_control' in block ? [[at, index]] : []))

t.test('a short turn needs no breakpoint of its own', async (t) => {
  const messages = [message('user', 2), message('assistant', 3), message('user', 3)]
  t.equal(markPrefixes(messages, 0), messages)
})

t.test('a turn of many calls has one where the request before it ended', async (t) => {
  const messages = [message('user', 2), message('assistant', 9), message('user', 9)]
  t.same(marksIn(markPrefixes(messages, 0)), [[0, 1]])
  t.same(marksIn(messages), [], 'the conversation itself stays as it is')
})

t.test('where later messages are not what they were, the last that is has one', async (t) => {
  const messages = [message('user', 1), message('assistant', 1), message('user', 2), message('assistant', 1),
    message('user', 1)]
  t.same(marksIn(markPrefixes(messages, 4)), [[2, 1]])
  t.same(marksIn(markPrefixes(messages, 2)), [[0, 0]])
  t.same(marksIn(markPrefixes([message('user', 1)], 0)), [])
})
