import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Extractor } from '../../plugins/extraction.js'
import type { Source } from '../../packages/spec-engine/src/engine/material.js'
import { chunkInput } from '../../packages/spec-engine/src/engine/chunk.js'
import { dropHidden } from '../../routes/pse/lib/inputs/drop-hidden.js'
import { readMarks, type Mark } from './marks.js'
import { writeDocx } from './write-docx.js'
import { writePdf } from './write-pdf.js'

/** A document of the corpus as the engine reads it, with what a person marked in it. */
export interface CorpusDocument { name: string, genre: string, source: Source, marks: Mark[] }

const folder = 'test/corpus'
const id = '01900000-0000-7000-8000-000000000001'

/** Nothing is tuned on these. */
export const heldOut: ReadonlySet<string> = new Set(['rfc/token-bucket.txt', 'pep/wheel-labels.rst',
  'word/lab-samples.md', 'pdf/beehive-scale.md', 'stories/first-person.md', 'issues/dark-mode.md', 'minutes/retro.md'])

const fileOf = (genre: string, name: string, text: string): { data: Buffer, filename: string } => {
  const stem = name.slice(0, -extname(name).length)
  if (genre === 'word') return { data: writeDocx(text), filename: `${stem}.docx` }
  if (genre === 'pdf') return { data: writePdf(text, stem), filename: `${stem}.pdf` }
  return { data: Buffer.from(text), filename: name }
}

const readDocument = async (extractor: Extractor, genre: string, name: string): Promise<CorpusDocument> => {
  const { text: plain, marks } = readMarks(readFileSync(join(folder, genre, name), 'utf8'))
  const found = await extractor.extract({ ...fileOf(genre, name, plain), mediaType: '' })
  const text = found.media_type === 'text/markdown' ? dropHidden(found.text) : found.text
  const source: Source = {
    input_id: id,
    seq: 1,
    kind: 'file',
    label: name,
    media_type: found.media_type,
    text,
    chunks: chunkInput(id, text, found.media_type),
    superseded: false
  }
  return { name: `${genre}/${name}`, genre, source, marks }
}

/** @returns the documents of test/corpus, extracted like a person's files */
export const readCorpus = async (): Promise<CorpusDocument[]> => {
  const extractor = new Extractor()
  const documents: CorpusDocument[] = []
  for (const genre of readdirSync(folder).sort()) {
    for (const name of readdirSync(join(folder, genre)).sort()) {
      documents.push(await readDocument(extractor, genre, name))
    }
  }
  return documents
}
