// STEWARD_TOKEN=… node examples/chat.mjs [url]: a chat in the terminal, which asks before anything is changed.
import { stdin, stdout } from 'node:process'
import { createInterface } from 'node:readline/promises'
import { EventSourceParserStream } from 'eventsource-parser/stream'

const url = process.argv[2] ?? 'http://localhost:3000'
const headers = { authorization: `Bearer ${process.env.STEWARD_TOKEN}`, 'content-type': 'application/json' }
const send = (path, body) => fetch(`${url}/api/v1/agent${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
const terminal = createInterface({ input: stdin, output: stdout })

const show = {
  content: ({ text }) => stdout.write(text),
  tool_call: ({ name, status }) => stdout.write(`\n[${name}: ${status}]\n`),
  error: ({ message }) => stdout.write(`\n! ${message}\n`),
  confirmation_required: async ({ session_id, confirmation_id, input_digest, summary }) => {
    const approved = (await terminal.question(`\n? ${summary} (yes/no) `)).trim() === 'yes'
    await send('/confirm', { session_id, confirmation_id, input_digest, approved })
  }
}

for (let session_id; ;) {
  const answer = await send('/chat', { message: await terminal.question('\n> '), session_id })
  if (!answer.ok) throw new Error((await answer.json()).detail)
  session_id = answer.headers.get('steward-session-id')
  const frames = answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  for await (const { event, data } of frames) await show[event]?.(JSON.parse(data))
}
