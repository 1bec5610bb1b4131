import { Busboy } from '@fastify/busboy'
import { maxInputsAtOnce } from '../../schemas/pse/inputs.js'
import { NotUtf8 } from '../../schemas/errors.js'
import { FormBroken } from './lib/errors.js'

interface FilePart { filename: string | undefined, media_type: string, pieces: Buffer[] }

/** The form keeps unknown fields by name, so that the schema rejects them. */
interface Form { files: FilePart[], labels: string[], others: [name: string, value: string][] }

/** Reads one part more than the schema allows, so that the schema rejects it; fieldSize exceeds the longest label. */
const limits = { files: maxInputsAtOnce + 1, fields: maxInputsAtOnce + 1, fieldSize: 1000, headerPairs: 20 }

const gather = (form: InstanceType<typeof Busboy>): Form => {
  const found: Form = { files: [], labels: [], others: [] }
  // A part may have no file name, although Busboy's types require one.
  form.on('file', (_name, stream, filename: string | undefined, _encoding, type) => {
    const pieces: Buffer[] = []
    found.files.push({ filename, media_type: type, pieces })
    // The form emits the same error, and its listener handles it.
    stream.on('data', (piece: Buffer) => { pieces.push(piece) }).on('error', () => {})
  })
  // A part may have no name, although Busboy's types require one.
  form.on('field', (name: string | undefined, value) => {
    if (name === 'label') found.labels.push(value)
    else found.others.push([name ?? '', value])
  })
  return found
}

/** The type that clients send for bytes of an unknown type. */
const unknownType = 'application/octet-stream'

const toInput = ({ filename, media_type: type, pieces }: FilePart) => ({
  ...(filename !== undefined && { filename }),
  ...(type !== unknownType && { media_type: type }),
  data: Buffer.concat(pieces).toString('base64')
})

const toBody = ({ files, labels, others }: Form) => ({
  inputs: Array.from({ length: Math.max(files.length, labels.length) }, (_, at) => ({
    kind: 'file',
    ...(labels[at] !== undefined && { label: labels[at] }),
    ...(files[at] && toInput(files[at]))
  })),
  ...Object.fromEntries(others)
})

const parse = (contentType: string, bytes: Buffer) => new Promise<Form>((resolve, reject) => {
  const isPartAFile = (name: string | undefined) => name === 'file'
  const form = new Busboy({ headers: { 'content-type': contentType }, limits, isPartAFile })
  const found = gather(form)
  form.on('finish', () => resolve(found)).on('error', reject).end(bytes)
})

/**
 * The parser puts U+FFFD for bytes that it cannot read; who sends U+FFFD itself has lost the character before.
 * @throws not_utf8 for names and labels
 */
const requireWhole = ({ files, labels, others }: Form): void => {
  const texts: [pointer: string, text: string | undefined][] = [
    ...files.map(({ filename }, at) => [`/inputs/${at}/filename`, filename] as [string, string | undefined]),
    ...labels.map((label, at) => [`/inputs/${at}/label`, label] as [string, string]),
    ...others.flat().map((text) => ['', text] as [string, string])
  ]
  const found = texts.find(([, text]) => text?.includes('\ufffd'))
  if (!found) return
  const [pointer] = found
  const message = 'holds bytes that are not UTF-8, or U+FFFD in their place'
  throw NotUtf8(`${pointer || 'A part of the form'} ${message}`, { errors: [{ pointer, code: NotUtf8.code, message }] })
}

/** @returns the form as the JSON body that it stands for, not yet validated @throws malformed_form, not_utf8 */
export const readForm = async (contentType: string, bytes: Buffer): Promise<unknown> => {
  const form = await parse(contentType, bytes).catch((error: unknown) => {
    throw FormBroken(error instanceof Error ? error.message : undefined)
  })
  requireWhole(form)
  return toBody(form)
}
