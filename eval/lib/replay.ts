import type { AddressInfo } from 'node:net'
import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { buildAnthropicSandbox, type Turn as ModelTurn } from 'steward-sandbox/anthropic'
import { resultsOf } from './messages.js'
import { resolveTurn, type Turn } from './transcript.js'

const toModelTurn = ({ text, calls = [] }: Turn): ModelTurn => ({
  content: [
    ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ name, input }) => ({ type: 'tool_use' as const, name, input }))
  ]
})

/**
 * A server of the Messages API that plays transcripts: the sandbox of the provider, which checks each request as the
 * provider does and streams each answer, with the transcript as its script.
 */
export const startReplay = async () => {
  let turns: Turn[] = []
  const problems: string[] = []
  const answer = ({ messages, tools = [] }: MessageCreateParamsBase): ModelTurn => {
    const turn = turns.shift()
    try {
      if (turn === undefined) throw new Error('The transcript has ended before the run')
      const offered = new Set(tools.map((tool) => 'name' in tool ? tool.name : ''))
      const missing = turn.calls?.find(({ name }) => !offered.has(name))
      if (missing) throw new Error(`The model was not offered ${missing.name}`)
      return toModelTurn(resolveTurn(turn, resultsOf(messages)))
    } catch (error) {
      problems.push((error as Error).message)
      turns = []
      return toModelTurn({ text: 'The transcript does not fit.' })
    }
  }
  const app = buildAnthropicSandbox({
    delayMs: 0,
    // The sandbox has checked the request. Those without tools are for titles and texts, which its assistant writes.
    script: (request) => request.tools?.length ? answer(request) : undefined
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  // It listens on TCP.
  const { port } = app.server.address() as AddressInfo
  return {
    environment: { ANTHROPIC_API_KEY: 'replay', ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` },
    play: (next: Turn[]) => { turns = [...next] },
    /** @returns what of the transcript did not fit since the last time, and what was left over */
    problems: (): string[] =>
      [...problems.splice(0), ...(turns.length > 0 ? [`${turns.length} turns were not asked for`] : [])],
    close: async () => { await app.close() }
  }
}

export type Replay = Awaited<ReturnType<typeof startReplay>>
