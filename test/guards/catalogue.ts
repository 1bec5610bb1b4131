import ts from 'typescript'
import { listPageSources, read } from './sources.js'

export type Text = string | { one: string, other: string }
export type Catalogue = Record<string, Text>

export const formsOf = (text: Text): string[] => typeof text === 'string' ? [text] : [text.one, text.other]

/** @returns what a module of the page exports, if it imports nothing that runs */
export const loadPageModule = async (file: string): Promise<unknown> => {
  const { outputText } = ts.transpileModule(read(file), { compilerOptions: { target: ts.ScriptTarget.ES2022 } })
  return await import(`data:text/javascript,${encodeURIComponent(outputText)}`) as unknown
}

/** The modules of the page's texts; each exports parts of the catalogue. */
const load = async (file: string) => await loadPageModule(file) as Record<string, Record<string, string>>

const listTexts = (folder: string): string[] =>
  listPageSources().filter((file) => file.startsWith(`web/texts/${folder}/`) && !file.endsWith('index.ts'))

/** The page's modules are for a bundler; those of the texts import nothing that runs. */
export const loadCatalogue = async (language: string): Promise<Catalogue> => {
  const files = listTexts(language).filter((file) => !file.startsWith(`web/texts/${language}/server/`))
  const parts = await Promise.all(files.map(async (file) => Object.assign({}, ...Object.values(await load(file)))))
  return Object.assign({}, ...parts) as Catalogue
}

/** What the server says in English, in this language. */
export const loadServerWords = async (language: string): Promise<Record<string, Record<string, string>>> =>
  Object.assign({}, ...await Promise.all(listTexts(`${language}/server`).map(load)))
