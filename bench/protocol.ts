/** One token of the scripted model. Fixed, so that counting tokens is counting this word. */
export const TOKEN = 'word '

/** What the model server does, written into the user's message. */
export interface Script {
  tokens: number
  /** Tokens per second of one stream; 0 = as fast as possible. */
  rate: number
  /** A tool to call first, or '' for none. */
  tool: string
}

const MARK = '[[bench '

/** A user message that configures the answer of the model server. */
export const prompt = ({ tokens, rate, tool }: Script): string =>
  `Say it again. ${MARK}tokens=${tokens} rate=${rate} tool=${tool}]]`

/** How many tokens a piece of a stream carries. */
export const countTokens = (text: string): number => {
  let count = 0
  for (let at = text.indexOf(TOKEN); at !== -1; at = text.indexOf(TOKEN, at + TOKEN.length)) count += 1
  return count
}

/**
 * Reads the last script of a Messages-API request without parsing its JSON: tool lists are long, and the model
 * server must stay cheap next to what is measured.
 */
export const readScript = (body: Buffer): Script & { answered: boolean, stream: boolean } => {
  const at = body.lastIndexOf(MARK)
  const end = body.indexOf(']]', at)
  const words = at === -1 ? '' : body.toString('latin1', at + MARK.length, end)
  const value = (name: string) => new RegExp(`${name}=(\\w*)`).exec(words)?.[1] ?? ''
  const tool = value('tool')
  return {
    tokens: Number(value('tokens') || 5),
    rate: Number(value('rate') || 0),
    // A request for a title repeats the message, but offers no tools.
    tool: tool !== '' && body.includes(`"name":"${tool}"`) ? tool : '',
    answered: at !== -1 && body.indexOf('"type":"tool_result"', at) !== -1,
    stream: body.includes('"stream":true')
  }
}
