import net, { type AddressInfo } from 'node:net'

export { simpleParser } from './read-mail.js'

export interface ReceivedMail { from: string, to: string[], data: string }

/** A server of mail in its own protocol (RFC 5321), as far as a client of one message needs it. */
export interface SmtpSandbox {
  url: string
  mails: ReceivedMail[]
  /**
   * What it does with the next mails: `refuse` answers 550, `some` does to addresses of nobody.example, `busy` 451,
   * `hang` nothing at all, `cut` ends it, `lose` takes a mail and ends it without an answer.
   */
  manner: 'take' | 'refuse' | 'some' | 'busy' | 'hang' | 'cut' | 'lose'
  close: () => Promise<void>
  /** Listens again at the same port. */
  open: () => Promise<void>
}

interface State { mails: ReceivedMail[], manner: SmtpSandbox['manner'] }

/** What one client has sent so far. */
class Dialogue {
  #from = ''
  #to: string[] = []
  /** The lines of a mail, while it is being sent. */
  #data: string[] | undefined

  constructor (private readonly state: State, private readonly say: (line: string) => void,
    private readonly end: () => void) {}

  hear (line: string): void {
    if (this.#data) return this.#take(line, this.#data)
    const [verb = ''] = line.toUpperCase().split(/[ :]/, 1)
    const path = /<([^>]*)>/.exec(line)?.[1] ?? ''
    if (verb === 'EHLO' || verb === 'HELO') return this.say('250 sandbox')
    if (verb === 'MAIL') return this.#begin(path)
    if (verb === 'RCPT') return this.#rcpt(path)
    if (verb === 'DATA') return this.#open()
    if (verb === 'RSET' || verb === 'NOOP') return this.say('250 OK')
    if (verb !== 'QUIT') return this.say('502 Not known')
    this.say('221 Bye')
    this.end()
  }

  #begin (path: string): void {
    this.#from = path
    this.#to = []
    this.say('250 OK')
  }

  #rcpt (path: string): void {
    const { manner } = this.state
    if (manner === 'hang') return
    if (manner === 'cut') return this.end()
    const isRefused = manner === 'refuse' || (manner === 'some' && path.endsWith('@nobody.example'))
    if (isRefused) return this.say('550 5.1.1 There is no such person')
    if (manner === 'busy') return this.say('451 4.3.0 Later')
    this.#to.push(path)
    this.say('250 OK')
  }

  #open (): void {
    if (this.#to.length === 0) return this.say('503 To whom?')
    this.#data = []
    this.say('354 Go on')
  }

  #take (line: string, data: string[]): void {
    if (line !== '.') {
      data.push(line.startsWith('.') ? line.slice(1) : line)
      return
    }
    this.state.mails.push({ from: this.#from, to: this.#to, data: data.join('\r\n') })
    this.#data = undefined
    if (this.state.manner === 'lose') return this.end()
    this.say('250 Taken')
  }
}

const listen = (state: State) => (socket: net.Socket): void => {
  socket.on('error', () => undefined).setEncoding('latin1')
  const dialogue = new Dialogue(state, (line) => socket.write(`${line}\r\n`), () => socket.end())
  let rest = ''
  socket.write('220 sandbox ESMTP\r\n')
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) dialogue.hear(line)
  })
}

export const startSmtpSandbox = async (): Promise<SmtpSandbox> => {
  const state: State = { mails: [], manner: 'take' }
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    listen(state)(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server that listens has an AddressInfo.
  const { port } = server.address() as AddressInfo
  const close = () => new Promise<void>((resolve) => {
    for (const socket of sockets) socket.destroy()
    server.close(() => resolve())
  })
  const open = () => new Promise<void>((resolve) => { server.listen(port, '127.0.0.1', () => resolve()) })
  return Object.assign(state, { url: `smtp://127.0.0.1:${port}`, close, open })
}
