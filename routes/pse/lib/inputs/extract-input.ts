import type { NewInputRow } from '../../../../db/pse/inputs.js'
import { createHash } from 'node:crypto'
import { ExtractionError, requireProse } from 'steward-document-reader/extraction'
import { renderMarkdown } from 'steward-spec-engine/export'
import { readCsv } from 'steward-document-reader/document'
import { findVersion } from '../../../../db/pse/versions.js'
import { readRoute } from '../../../../lib/http/call-route.js'
import { OutboundError } from '../../../../lib/outbound/errors.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { Contents } from '../../../../schemas/codehost/commits.js'
import { Issue, IssueCommentPage, type IssueComment } from '../../../../schemas/codehost/issues.js'
import { ApiError, InvalidRequest, NotFound } from '../../../../schemas/errors.js'
import { maxExtracted, maxFileBytes, type InputOf, type NewInput } from '../../../../schemas/pse/inputs.js'
import {
  type Deps, FileBroken, FileTooLarge, FileTypeUnsupported, FileWithoutText, InputEmpty, InputsTooLong, NoVersion,
  readingErrors, UrlRefused
} from '../errors.js'
import { readSession } from '../sessions/read-version.js'
import { dropHidden, hiddenIn, withoutRanges } from './drop-hidden.js'

/** An input after fetching and extracting its text. */
export interface Extracted extends Omit<NewInputRow, 'chunks' | 'sha256' | 'truncated' | 'pages' | 'source_key' |
  'about' | 'detail' | 'label'> {
  label?: string | undefined
  truncated?: boolean
  pages?: number | null
  source_key?: string | null
  about?: NewInputRow['about']
  detail?: unknown
}

/** A thread with more pages of 100 comments is refused: the newest decision stands at its end. */
const maxPages = 20

const readComments = async (deps: Deps, principal: Principal, issue: string): Promise<IssueComment[]> => {
  const found: IssueComment[] = []
  let cursor: string | null = null
  for (let page = 0; page === 0 || cursor !== null; page++) {
    if (page === maxPages) throw InputsTooLong(`The issue has more than ${maxPages * 100} comments`)
    const query: URLSearchParams = new URLSearchParams({ limit: '100', ...(cursor !== null && { cursor }) })
    const next = await readRoute(deps, principal, { url: `${issue}/comments?${query}` }, IssueCommentPage)
    found.push(...next.items)
    cursor = next.next_cursor
  }
  return found
}

/** A text must not make a comment of its own: a heading of ours inside a comment is escaped. */
const quiet = (text: string): string => text.replace(/^(#+ Comment by )/gm, '\\$1')

/** The document reader knows this heading. */
const commentText = ({ author, created_at: at, body }: IssueComment): string =>
  `# Comment by ${author ?? 'unknown'}, ${new Date(at).toISOString()}\n\n${quiet(body)}`

/** @returns the issue and its thread as one text: the title, the text, then each comment with its author and time */
const readIssueThread = async (deps: Deps, principal: Principal, issue: string) => {
  const found = await readRoute(deps, principal, { url: issue }, Issue)
  const comments = await readComments(deps, principal, issue)
  const text = [`# ${found.title}`, quiet(found.body ?? ''), ...comments.map(commentText)].join('\n\n')
  if (text.length > maxExtracted) throw InputsTooLong(`The issue holds ${text.length} characters of ${maxExtracted}`)
  const { updated_at, html_url } = found
  return { text, source: { updated_at, html_url, comments: comments.length } }
}

interface Context { deps: Deps, principal: Principal }

const bytesOf = (text: string) => Buffer.byteLength(text)

type UserTextKind = 'text' | 'answer' | 'decision' | 'feedback' | 'waiver'

const userText = (kind: UserTextKind, label: string | undefined, text: string) =>
  ({ kind, label, trust: 'user' as const, media_type: 'text/markdown', bytes: bytesOf(text), text })

/** @throws file_broken where nobody could say which commas of a line divide its values */
const requireColumns = (text: string): void => {
  const { unsure } = readCsv(text)
  if (!unsure) return
  throw FileBroken(`Line ${unsure.line} has ${unsure.values} values below ${unsure.columns} names of columns: ` +
    'put each value that has a comma into quotation marks')
}

const read = async ({ deps }: Context, data: Buffer, filename: string, mediaType: string) => {
  const { pages, truncated, left_out: leftOut, ...rest } = await deps.extractor.extract({ data, filename, mediaType })
  if (pages !== null && rest.text.trim() === '') {
    throw FileWithoutText(`The PDF has ${pages} pages and no text: it may be a scan`)
  }
  requireProse(filename, rest.text)
  if (rest.media_type === 'text/csv') requireColumns(rest.text)
  const format = /json|yaml/.exec(rest.media_type)?.[0]
  const values = format === undefined ? undefined : `its values: ${format.toUpperCase()} is not read as sentences`
  const left = leftOut === undefined && values === undefined ? {} : { left_out: leftOut ?? values }
  return { ...rest, pages, truncated, left, bytes: data.length, trust: 'external' as const }
}

const decode = ({ data }: InputOf<'file'>): Buffer => {
  const bytes = Buffer.from(data, 'base64')
  const clean = data.replace(/[\s=]/g, '')
  if (Math.floor(clean.length * 3 / 4) > maxFileBytes) throw FileTooLarge()
  // Buffer skips characters that are not base64; a shorter result reveals them.
  if (bytes.length !== Math.floor(clean.length * 3 / 4)) throw FileTypeUnsupported('data is not base64')
  return bytes
}

const fromFile = async (context: Context, input: InputOf<'file'>): Promise<Extracted> => {
  const { kind, label, filename, media_type: type = '' } = input
  const { left, ...found } = await read(context, decode(input), filename, type)
  const source = { filename, ...(type && { media_type: type }), ...left }
  return { kind, label, source, source_key: `file:${filename}`, ...found }
}

const fromUrl = async (context: Context, { kind, label, url }: InputOf<'url'>): Promise<Extracted> => {
  const answer = await context.deps.outbound.fetch({ url, headers: { 'accept-encoding': 'gzip, br' } })
  const { status, headers } = answer
  if (status !== 200) throw UrlRefused(`The server at the address answered ${status}`, { upstream_status: status })
  const name = new URL(answer.url).pathname.split('/').at(-1) ?? ''
  const { left, ...found } = await read(context, answer.body, name, headers['content-type'] ?? '')
  const source = {
    ...left,
    url,
    final_url: answer.url,
    http_status: status,
    fetched_at: new Date().toISOString(),
    etag: headers.etag ?? null,
    last_modified: headers['last-modified'] ?? null
  }
  return { kind, label, source, source_key: `url:${new URL(url).href}`, ...found }
}

const repository = (id: string) => `/codehost/repos/${encodeURIComponent(id)}`

const fromRepoFile = async (context: Context, { kind, label, repo_id, path, ref }: InputOf<'repo_file'>):
Promise<Extracted> => {
  const query = new URLSearchParams({ path, ...(ref !== undefined && { ref }) })
  const url = `${repository(repo_id)}/contents?${query}`
  const { text, sha } = await readRoute(context.deps, context.principal, { url }, Contents)
  if (text === null) throw FileTypeUnsupported('It is no text file, or larger than 1 MB')
  const { left, ...found } = await read(context, Buffer.from(text), path, '')
  const source = { repo_id, path, ref: ref ?? null, sha, ...left }
  return { kind, label, source, source_key: `repo_file:${repo_id}:${path}`, ...found }
}

const fromIssue = async (context: Context, { kind, label, repo_id, number }: InputOf<'repo_issue'>):
Promise<Extracted> => {
  const url = `${repository(repo_id)}/issues/${number}`
  const { text, source } = await readIssueThread(context.deps, context.principal, url)
  return {
    kind,
    label,
    source: { repo_id, number, ...source },
    source_key: `repo_issue:${repo_id}:${number}`,
    trust: 'external',
    media_type: 'text/markdown',
    bytes: bytesOf(text),
    text
  }
}

const fromFiles = ({ label, layout, files = [], version }: InputOf<'spec'>): Extracted => {
  if (layout === undefined || version !== undefined) {
    throw InvalidRequest('Files go with their layout, and with no version')
  }
  const shownFiles = files.map(({ path, text }) => {
    const hidden = hiddenIn(text)
    // An export writes the file back as it was.
    return { path, text: withoutRanges(text, hidden), ...(hidden.length > 0 && { whole: { text, hidden } }) }
  })
  const text = shownFiles.map((file) => file.text.trim()).join('\n\n')
  if (text.length > maxExtracted) throw InputsTooLong(`The files hold ${text.length} characters of ${maxExtracted}`)
  const paths = files.map(({ path }) => path)
  return {
    kind: 'spec',
    label,
    source: { layout, paths },
    source_key: `spec-files:${layout}:${createHash('sha256').update(JSON.stringify(paths)).digest('hex')}`,
    trust: 'external',
    media_type: 'text/markdown',
    bytes: files.reduce((sum, file) => sum + bytesOf(file.text), 0),
    text,
    detail: { layout, files: shownFiles }
  }
}

const fromSpec = async ({ deps, principal }: Context, input: InputOf<'spec'>): Promise<Extracted> => {
  const { workspace_id: workspaceId } = principal
  const { session_id: sessionId } = input
  if ((sessionId === undefined) === (input.files === undefined)) throw InvalidRequest('Send a session_id, or files')
  if (sessionId === undefined) return fromFiles(input)
  if (input.layout !== undefined) throw InvalidRequest('A session has no layout')
  const session = await readSession(deps.db, workspaceId, sessionId)
  const version = input.version ?? session.current_version
  if (version === null) throw NoVersion()
  const found = await findVersion(deps.db, workspaceId, sessionId, version)
  if (!found) throw NotFound()
  const text = renderMarkdown(found.document)
  return {
    kind: 'spec',
    label: input.label,
    source: { session_id: sessionId, version, content_hash: found.content_hash },
    source_key: `spec:${sessionId}`,
    trust: 'user',
    media_type: 'text/markdown',
    bytes: bytesOf(text),
    text
  }
}

const fromWaiver = ({ label, rule_id, target, reason, expires_at: ends }: InputOf<'waiver'>): Extracted => {
  const about = { rule_id, ...(target && { target }), expires_at: ends ?? null }
  return { ...userText('waiver', label, reason), source: about, source_key: `waiver:${rule_id}:${target ?? ''}`, about }
}

const fromEdit = ({ kind, label, base_version, ops }: InputOf<'edit'>): Extracted => {
  const text = ops.map(({ op, target }) => `${op} ${target}`).join('\n')
  const source = { base_version, ops: ops.length }
  return { kind, label, source, trust: 'user', media_type: 'text/plain', bytes: bytesOf(text), text, detail: ops }
}

const extract = (context: Context, input: NewInput): Promise<Extracted> | Extracted => {
  switch (input.kind) {
    case 'text': return { ...userText('text', input.label, input.text), source: {} }
    case 'url': return fromUrl(context, input)
    case 'file': return fromFile(context, input)
    case 'repo_file': return fromRepoFile(context, input)
    case 'repo_issue': return fromIssue(context, input)
    case 'spec': return fromSpec(context, input)
    case 'edit': return fromEdit(input)
    case 'waiver': return fromWaiver(input)
    case 'answer': {
      const about = { question_id: input.question_id }
      const source_key = `answer:${input.question_id}`
      return { ...userText('answer', input.label, input.text), source: about, source_key, about }
    }
    case 'decision': {
      const source = input.supersedes === undefined ? {} : { supersedes: input.supersedes }
      return { ...userText('decision', input.label, input.text), source }
    }
    case 'feedback': {
      const about = { ...(input.target && { target: input.target }) }
      return { ...userText('feedback', input.label, input.text), source: about, about }
    }
  }
}

/** The field of an input that an error refers to. */
const fieldOf: Partial<Record<NewInput['kind'], string>> = {
  url: '/url', file: '/data', repo_file: '/path', repo_issue: '/number', spec: '/session_id', edit: '/ops'
}

/** @returns the error with the pointer of the input in the body */
export const withPointer = (error: unknown, pointer: string): unknown => {
  const known = error instanceof ExtractionError || error instanceof OutboundError
    ? readingErrors[error.code](error.message)
    : error
  if (!(known instanceof ApiError) || known.statusCode >= 500 || known.members.errors) return known
  const errors = [{ pointer, code: known.code, message: known.message }]
  return new ApiError(known.code, known.title, known.statusCode, known.message, { ...known.members, errors })
    .withHeaders(known.headers)
}

/** Drops the parts of a Markdown text that a reader of the page does not see. */
const withoutHidden = (found: Extracted): Extracted =>
  found.media_type.startsWith('text/markdown') ? { ...found, text: dropHidden(found.text) } : found

/** Fetches and reads one input without writing anything. @throws inputErrors, with the input's pointer in the body */
export const extractInput = async (context: Context, input: NewInput, at: number): Promise<Extracted> => {
  const pointer = `/inputs/${at}${fieldOf[input.kind] ?? ''}`
  try {
    const found = withoutHidden(await extract(context, input))
    if (found.text.trim() === '') throw InputEmpty()
    return found
  } catch (error) {
    throw withPointer(error, pointer)
  }
}
