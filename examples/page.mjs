// node examples/page.mjs [url]: serves chat.html on port 8080 and passes what it asks on to Steward, as a proxy would.
import { createReadStream } from 'node:fs'
import { createServer, request } from 'node:http'

const steward = process.argv[2] ?? 'http://localhost:3000'
const server = createServer((asked, answer) => {
  if (!asked.url.startsWith('/api/')) {
    answer.setHeader('content-type', 'text/html')
    return createReadStream(new URL('chat.html', import.meta.url)).pipe(answer)
  }
  const { method, headers: { host, ...headers } } = asked
  const passed = request(new URL(asked.url, steward), { method, headers })
  passed.on('response', (got) => got.pipe(answer.writeHead(got.statusCode, got.headers)))
  passed.on('error', () => answer.writeHead(502).end())
  answer.on('close', () => passed.destroy())
  asked.pipe(passed)
})
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
