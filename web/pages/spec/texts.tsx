import type { Schemas } from '../../api/client'
import { AreaField, TextField } from '../../parts/form'
import { EditPart, type Part } from './edit-part'
import { targetOf, type EditorProps, type SectionPart } from './section-part'
import { say } from '../../texts/say'

type SpecDocument = Schemas['SpecDocument']

/** Texts, and lists of one sentence for each line; what the API limits is limited here, too. */
const texts = {
  title: { label: 'specs.title', most: 200 },
  summary: { label: 'spec.section.summary', most: 10_000 },
  problem: { label: 'spec.section.problem', most: 10_000 },
  goals: { label: 'spec.section.goals', most: 20_000 },
  non_goals: { label: 'spec.section.nonGoals', most: 20_000 },
  edge_cases: { label: 'spec.section.edgeCases', most: 20_000 },
  risks: { label: 'spec.section.risks', most: 20_000 },
  design: { label: 'spec.section.design', most: 40_000 }
} as const
type Name = keyof typeof texts

// An object's keys are text to TypeScript.
const names = Object.keys(texts) as Name[]

/** A section that a template brings has such a text. */
const mostOfTemplate = 10_000

interface Text {
  name: string
  label: string
  most: number
  read: (document: SpecDocument) => string | readonly string[] | undefined
}

export interface TextPart extends SectionPart, Pick<Text, 'read'> {}

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim()).filter(Boolean)

export const Reading = ({ of }: { of: string | readonly string[] | undefined }) => typeof of === 'object'
  ? <ul>{of.map((line) => <li key={line}>{line}</li>)}</ul>
  : <p class='written'>{of}</p>

const EditText = ({ text: { name, label, most, read }, ...props }: EditorProps & { text: Text }) => {
  const isList = Array.isArray(read(props.version.document))
  const target = targetOf({ name })
  const part: Part<string> = {
    target,
    title: say('spec.edit.part', { part: label }),
    blank: '',
    read: (document) => {
      const now = read(document)
      return typeof now === 'object' ? now.join('\n') : now
    },
    op: (text) => ({ op: 'replace', target, value: isList ? linesOf(text) : text.trim() }),
    show: (text) => <Reading of={isList ? linesOf(text) : text} />
  }
  return (
    <EditPart {...props} part={part}>{(value) => name === 'title'
      ? <TextField label={label} value={value} required maxLength={most} />
      : <AreaField
          label={isList ? say('spec.eachLine', { part: label }) : label} value={value} rows={8} maxLength={most}
      />}
    </EditPart>
  )
}

const partOf = (text: Text): TextPart => ({
  name: text.name,
  label: text.label,
  read: text.read,
  isEmpty: (document) => (text.read(document) ?? '').length === 0,
  edit: (props) => <EditText {...props} text={text} />
})

/** The sections that every spec has. */
export const ownTexts = (): Text[] => names.map((name) =>
  ({ name, label: say(texts[name].label), most: texts[name].most, read: (document) => document[name] ?? '' }))

/** The sections that the attached templates bring; a document has its own of the same name instead. */
const ofTemplates = ({ sections, ...document }: SpecDocument): Text[] => sections
  .filter(({ key }) => !Object.hasOwn(document, key))
  .map(({ key, title }) => ({
    name: key,
    label: title,
    most: mostOfTemplate,
    read: (now) => now.sections.find((one) => one.key === key)?.text
  }))

export const textParts = (document: SpecDocument): TextPart[] => [...ownTexts(), ...ofTemplates(document)].map(partOf)
