import { Busboy } from '@fastify/busboy'
import { maxInputsAtOnce } from '../../schemas/pse/inputs.js'
import { FormBroken } from './lib/errors.js'

interface FilePart { filename: string | undefined, media_type: string, pieces: Buffer[] }

/** Other fields are kept by name, so that the schema refuses them. */
interface Form { files: FilePart[], labels: string[], others: [name: string, value: string][] }

/** One more than is allowed is read, which the schema refuses; a label of a thousand bytes is longer than it allows. */
const limits = { files: maxInputsAtOnce + 1, fields: maxInputsAtOnce + 1, fieldSize: 1000, headerPairs: 20 }

const gather = (form: InstanceType<typeof Busboy>): Form => {
  const found: Form = { files: [], labels: [], others: [] }
  // Of a part without a file name, the types do not say that it has none.
  form.on('file', (_name, stream, filename: string | undefined, _encoding, type) => {
    const pieces: Buffer[] = []
    found.files.push({ filename, media_type: type, pieces })
    // An error of the stream is one of the form as well.
    stream.on('data', (piece: Buffer) => { pieces.push(piece) }).on('error', () => {})
  })
  // A part need not have a name, whatever the types say.
  form.on('field', (name: string | undefined, value) => {
    if (name === 'label') found.labels.push(value)
    else found.others.push([name ?? '', value])
  })
  return found
}

/** What clients say of bytes that they know nothing about. */
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

/** @returns the JSON body that says what the form says, yet to be validated @throws malformed_form */
export const readForm = async (contentType: string, bytes: Buffer): Promise<unknown> => {
  const form = await parse(contentType, bytes).catch((error: unknown) => {
    throw FormBroken(error instanceof Error ? error.message : undefined)
  })
  return toBody(form)
}
