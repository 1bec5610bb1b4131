import t from '../tap.js'
import { countTokens, prompt, readScript, TOKEN } from '../../bench/protocol.js'

const body = (messages: object[], tools = [{ name: 'listProjects' }]) =>
  Buffer.from(JSON.stringify({ model: 'm', stream: true, messages, tools }))

t.test('a script survives the way through a request', async (t) => {
  const content = prompt({ tokens: 50, rate: 5, tool: 'listProjects' })
  t.match(readScript(body([{ role: 'user', content }])),
    { tokens: 50, rate: 5, tool: 'listProjects', answered: false, stream: true })
  t.equal(readScript(body([{ role: 'user', content }], [])).tool, '', 'a tool that is not offered is not called')
})

t.test('only results behind the last script count as its answer', async (t) => {
  const ask = { role: 'user', content: prompt({ tokens: 1, rate: 0, tool: 'a' }) }
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: '' }] }
  t.equal(readScript(body([ask, result])).answered, true)
  t.equal(readScript(body([ask, result, ask])).answered, false)
})

t.test('a request without a script gets a short text', async (t) => {
  t.match(readScript(body([{ role: 'user', content: 'hello' }])), { tokens: 5, rate: 0, tool: '', answered: false })
})

t.test('tokens are counted however they are merged', async (t) => {
  t.equal(countTokens(`{"text":"${TOKEN.repeat(7)}"}`), 7)
  t.equal(countTokens('{"text":""}'), 0)
})
