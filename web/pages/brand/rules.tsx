import { asLines, asWords, field, optional, type Cell } from '../../parts/cell'
import { AreaField, Choice, NumberField, TextField } from '../../parts/form'
import type { Brand } from './index'

const yesNo = { yes: 'Yes', no: 'No' } as const
const choices = {
  spelling: { 'en-US': 'American', 'en-GB': 'British', any: 'Any', off: 'Not checked' },
  person: { first: 'We, I', second: 'You', third: 'They', any: 'Any' },
  heading_case: { sentence: 'Sentence case', title: 'Title Case', any: 'Any' },
  contractions: { require: 'Use them', allow: 'Allowed', avoid: 'Avoid them' },
  oxford_comma: { require: 'Use it', avoid: 'Avoid it', any: 'Any' },
  emoji: { none: 'None', sparse: 'Few', any: 'Any' },
  inclusive: { off: 'Ignore', suggest: 'Suggest', warn: 'Warn' }
} as const

/** A boolean as the value of a select. */
const asYesNo = (of: Cell<boolean>): Cell<keyof typeof yesNo> => ({
  get value () { return of.value ? 'yes' : 'no' },
  set value (next) { of.value = next === 'yes' }
})

const Style = ({ brand }: { brand: Cell<Brand> }) => {
  const style = field(brand, 'style')
  return (
    <div class='fields'>
      <Choice label='Spelling' value={optional(style, 'spelling', 'any')} options={choices.spelling} />
      <Choice label='Person' value={optional(style, 'person', 'any')} options={choices.person} />
      <Choice label='Headings' value={optional(style, 'heading_case', 'any')} options={choices.heading_case} />
      <Choice label='Contractions' value={optional(style, 'contractions', 'allow')} options={choices.contractions} />
      <Choice label='Oxford comma' value={optional(style, 'oxford_comma', 'any')} options={choices.oxford_comma} />
      <Choice label='Emoji' value={optional(style, 'emoji', 'sparse')} options={choices.emoji} />
      <Choice label='Inclusive words' value={optional(style, 'inclusive', 'suggest')} options={choices.inclusive} />
      <NumberField label='Words in a sentence' value={optional(style, 'max_sentence_words', 35)} min={0} max={200} />
      <NumberField label='School grade' value={optional(style, 'max_grade', 14)} min={1} max={30} step='any' />
      <NumberField label='Passive, per cent' value={optional(style, 'max_passive_pct', 25)} min={0} max={100} />
    </div>
  )
}

const publishers = { member: 'Members', admin: 'Admins' } as const

const Approval = ({ brand }: { brand: Cell<Brand> }) => {
  const approval = field(brand, 'approval')
  return (
    <div class='fields'>
      <NumberField label='Least score to approve' value={field(brand, 'min_score')} min={0} max={100} />
      <Choice label='Approval is needed' value={asYesNo(field(approval, 'required'))} options={yesNo} />
      <Choice
        label='Authors approve their own' value={asYesNo(field(approval, 'self_approval'))} options={yesNo}
      />
      <Choice label='Who publishes' value={field(approval, 'publishers')} options={publishers} />
    </div>
  )
}

/** The rules for content, and who may publish it. */
export const Rules = ({ brand }: { brand: Cell<Brand> }) => {
  const claims = field(brand, 'claims')
  const locales = field(brand, 'locales')
  return (
    <>
      <Style brand={brand} />
      <Approval brand={brand} />
      <div class='fields'>
        <AreaField
          label='Forbidden claims, one per line' rows={3} value={asLines(optional(claims, 'forbidden', []))}
        />
        <AreaField
          label='Allowed hosts of links, one per line' rows={3}
          value={asLines(optional(brand, 'allowed_link_hosts', []))}
        />
      </div>
      <div class='fields'>
        <TextField label='Language' value={field(locales, 'default')} required maxLength={12} />
        <TextField label='Languages, separated by commas' value={asWords(field(locales, 'enabled'))} required />
      </div>
    </>
  )
}
