import ts from 'typescript'
import { listPageSources, read } from './sources.js'

export type Text = string | { one: string, other: string }
export type Catalogue = Record<string, Text>

export const formsOf = (text: Text): string[] => typeof text === 'string' ? [text] : [text.one, text.other]

/** The page's modules are for a bundler; those of the texts import nothing that runs. */
export const loadCatalogue = async (language: string): Promise<Catalogue> => {
  const files = listPageSources()
    .filter((file) => file.startsWith(`web/texts/${language}/`) && !file.endsWith('index.ts'))
  const parts = await Promise.all(files.map(async (file) => {
    const { outputText } = ts.transpileModule(read(file), { compilerOptions: { target: ts.ScriptTarget.ES2022 } })
    // Each module exports one part of the catalogue.
    return Object.assign({}, ...Object.values(
      await import(`data:text/javascript,${encodeURIComponent(outputText)}`) as object)) as Catalogue
  }))
  return Object.assign({}, ...parts) as Catalogue
}
