import { CONTROL_PREFIX, startAwsSandbox } from '../sandbox/aws/index.js'

/** The stand-in of AWS in a process of its own; every call takes DELAY_MS longer than it would. */
const { controlUrl } = await startAwsSandbox({ port: Number(process.env.PORT) })
const answer = await fetch(`${controlUrl}/faults`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ kind: 'slow', delay_ms: Number(process.env.DELAY_MS), times: 0 })
})
if (!answer.ok) throw new Error(`${CONTROL_PREFIX}/faults answered ${answer.status}`)
