import { randomUUID } from 'node:crypto'
import { body, type ChatOptions, type Schemas } from 'steward-client'
import type { Command, Context, Input } from '../command.js'
import { decide, readApproval, type Outcome } from '../decide.js'
import { Ended, exits, UsageError } from '../exits.js'
import { patience } from '../retries.js'
import { oneLine } from '../text.js'

type Event = Schemas['ChatEvent']
type Done = Schemas['DoneEvent']

/** After Ctrl-C the run's end is waited for this long; a second one does not wait. */
const endMs = 5_000

/** Shows a run as it goes on: its text to standard output, all else to standard error. */
class Transcript {
  #message: string | undefined
  #isOpen = false

  constructor (private readonly context: Context, private readonly json: boolean) {}

  #line (text: string): void {
    this.close()
    this.context.terminal.note(this.context.terminal.paint(text, 'dim'))
  }

  /** Ends the line that the text has begun. */
  close (): void {
    if (this.#isOpen) this.context.terminal.write('\n')
    this.#isOpen = false
  }

  #content ({ message_id, text, reset }: Schemas['ContentEvent']): void {
    const { terminal } = this.context
    if (reset) return this.#line('The answer begins again.')
    if (this.#message !== message_id) this.close()
    this.#message = message_id
    terminal.write(text)
    if (text !== '') this.#isOpen = !text.endsWith('\n')
  }

  show (event: Event): void {
    if (this.json) return this.context.terminal.json(event)
    if (event.type === 'content') this.#content(event)
    if (event.type === 'tool_call' && event.status === 'running') this.#line(`· ${oneLine(event.name)}`)
    if (event.type === 'tool_result' && event.status !== 'succeeded') {
      this.#line(`· ${oneLine(event.name)}: ${event.status}`)
    }
    if (event.type === 'error') this.#line(`! ${oneLine(event.message)}${event.fatal ? '' : '; it is tried again'}`)
  }
}

/** One question to the assistant, from its message to the end of the run. */
class Asking {
  readonly #context: Context
  readonly #transcript: Transcript
  readonly #controller = new AbortController()
  readonly #key = randomUUID()
  readonly #shown = new Set<string>()
  readonly #left = new Set<string>()
  #lastId: string | undefined
  #run: string | undefined
  #isStopping = false
  #session: string | undefined

  constructor (context: Context, private readonly message: Schemas['ChatRequest'], json: boolean) {
    this.#context = context
    this.#transcript = new Transcript(context, json)
  }

  /** Ctrl-C: the run is cancelled, and its end is shown; a second one leaves at once. */
  readonly interrupt = (): void => {
    if (this.#isStopping) return this.#controller.abort()
    this.#isStopping = true
    setTimeout(() => this.#controller.abort(), endMs).unref()
    if (this.#run !== undefined) void this.#cancel(this.#run)
  }

  async #cancel (run_id: string): Promise<void> {
    const { terminal, connection } = this.#context
    const params = { path: { run_id } }
    const { api } = connection.steward
    await body(api.POST('/api/v1/agent/runs/{run_id}/cancel', { params })).catch((error: unknown) => {
      terminal.note(`It goes on at Steward: ${oneLine(error instanceof Error ? error.message : '')}`)
      this.#controller.abort()
    })
  }

  #options (): ChatOptions {
    const { onOpen, onBreak } = patience(this.#context.terminal)
    return {
      signal: this.#controller.signal,
      idempotencyKey: this.#key,
      ...(this.#lastId !== undefined && { lastId: this.#lastId }),
      onOpen: (response) => {
        onOpen(response)
        const { headers } = response
        this.#run = headers.get('steward-run-id') ?? this.#run
        this.#session = headers.get('steward-session-id') ?? this.#session
        if (this.#isStopping && this.#run !== undefined) void this.#cancel(this.#run)
      },
      onBreak
    }
  }

  /** Has the person decide. @returns undefined when the run goes on; else how this command ends */
  async #decide (id: string): Promise<number | undefined> {
    if (this.#shown.has(id) || this.#isStopping) return undefined
    this.#transcript.close()
    const { connection } = this.#context
    const outcome: Outcome = await decide(this.#context, await readApproval(connection, id), (shown) => {
      this.#shown.add(shown)
    })
    if (outcome === 'left' || outcome === 'counted' || outcome === 'interrupted') {
      this.#left.add(id)
      this.#context.terminal.note(`It waits for approval: steward approve ${id}`)
    }
    if (outcome === 'interrupted') return exits.interrupted
    return this.#left.has(id) ? exits.waits : undefined
  }

  /** @returns the event that ends this part of the run, or how the command ends meanwhile */
  async #follow (): Promise<Done | number | undefined> {
    for await (const { id, data } of this.#context.connection.steward.chat(this.message, this.#options())) {
      this.#lastId = id || this.#lastId
      this.#transcript.show(data)
      if (data.type === 'done') return data
      const end = data.type === 'confirmation_required' ? await this.#decide(data.confirmation_id) : undefined
      if (end !== undefined) return end
    }
    return undefined
  }

  /** @returns the exit code; undefined when the run goes on */
  async #ended ({ final, status, stop_reason, pending_confirmations: pending }: Done): Promise<number | undefined> {
    this.#transcript.close()
    if (final) {
      if (status === 'completed') return exits.done
      this.#context.terminal.note(`It ended as ${status}${stop_reason === null ? '' : `: ${oneLine(stop_reason)}`}.`)
      return this.#isStopping ? exits.interrupted : exits.failed
    }
    for (const id of pending) {
      const end = await this.#decide(id)
      if (end !== undefined) return end
    }
    return this.#isStopping ? exits.interrupted : undefined
  }

  async run (): Promise<number> {
    for (;;) {
      const end = await this.#follow()
      if (typeof end === 'number') return end
      if (this.#controller.signal.aborted) {
        this.#transcript.close()
        return this.#interrupted()
      }
      // Nothing was left to send: what the last event said has been shown.
      if (end === undefined) throw new Ended(exits.failed, 'The run has ended elsewhere')
      const code = await this.#ended(end)
      if (code !== undefined) return code
    }
  }

  #interrupted (): number {
    const { terminal, connection } = this.#context
    terminal.note(this.#session === undefined
      ? 'Stopped. Steward may have begun: the browser shows it.'
      : `Stopped following: ${connection.page(`/chat/${this.#session}`)}`)
    return exits.interrupted
  }
}

/** @returns the words of the person, of which `-` stands for the input. @throws UsageError without any */
const messageOf = async ({ terminal, words }: Input): Promise<string> => {
  const [word = ''] = words
  const message = word === '-' ? await terminal.readInput() : word
  if (message.trim() === '') throw new UsageError('There is nothing to ask')
  return message
}

const run = async (input: Input): Promise<number> => {
  const { context } = input
  const [message, session, project] = [await messageOf(input), input.text('session'), input.text('project')]
  const asking = new Asking(context, {
    message,
    ...(session !== undefined && { session_id: session }),
    ...(project !== undefined && { context: { selected_project_id: project } }),
    // Nobody is here to decide: the stream shall end when the run waits.
    ...(!context.terminal.isInteractive && { wait_s: 0 })
  }, input.results.isJson)
  process.on('SIGINT', asking.interrupt)
  try {
    return await asking.run()
  } finally {
    process.off('SIGINT', asking.interrupt)
  }
}

export const ask: Command = {
  words: ['MESSAGE'],
  summary: 'says something to the assistant, and has you decide what it asks; - reads the message from the input',
  options: {
    session: { value: 'ID', summary: 'goes on with this conversation' },
    project: { value: 'ID', summary: 'with the instructions of this project' }
  },
  run
}
