import { startAwsSandbox } from 'steward-sandbox/aws'

/** The sandbox of AWS in a process of its own; every call takes DELAY_MS longer than it would. */
const { PORT, CONTROL_TOKEN = '' } = process.env
const { controlUrl } = await startAwsSandbox({ port: Number(PORT), controlToken: CONTROL_TOKEN })
const answer = await fetch(`${controlUrl}/faults`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ kind: 'slow', delay_ms: Number(process.env.DELAY_MS), times: 0 })
})
if (!answer.ok) throw new Error(`A fault was refused: ${answer.status}`)
