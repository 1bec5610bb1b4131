import { asLines, asWords, field, optional, type Cell } from '../../parts/cell'
import { AreaField, Choice, NumberField, TextField } from '../../parts/form'
import type { Brand } from './index'
import { say, sayEach } from '../../texts/say'

const yesNo = { yes: 'brand.yes', no: 'brand.no' } as const
const choices = {
  spelling: {
    'en-US': 'brand.spelling.us', 'en-GB': 'brand.spelling.gb', any: 'brand.any', off: 'brand.spelling.off'
  },
  person: {
    first: 'brand.person.first', second: 'brand.person.second', third: 'brand.person.third', any: 'brand.any'
  },
  heading_case: { sentence: 'brand.case.sentence', title: 'brand.case.title', any: 'brand.any' },
  contractions: {
    require: 'brand.contractions.require', allow: 'brand.contractions.allow', avoid: 'brand.contractions.avoid'
  },
  oxford_comma: { require: 'brand.comma.require', avoid: 'brand.comma.avoid', any: 'brand.any' },
  emoji: { none: 'brand.emoji.none', sparse: 'brand.emoji.sparse', any: 'brand.any' },
  inclusive: { off: 'brand.inclusive.off', suggest: 'brand.inclusive.suggest', warn: 'brand.inclusive.warn' }
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
      <Choice
        label={say('brand.spelling')} value={optional(style, 'spelling', 'any')} options={sayEach(choices.spelling)}
      />
      <Choice
        label={say('brand.person')} value={optional(style, 'person', 'any')} options={sayEach(choices.person)}
      />
      <Choice
        label={say('brand.headings')} value={optional(style, 'heading_case', 'any')}
        options={sayEach(choices.heading_case)}
      />
      <Choice
        label={say('brand.contractions')} value={optional(style, 'contractions', 'allow')}
        options={sayEach(choices.contractions)}
      />
      <Choice
        label={say('brand.comma')} value={optional(style, 'oxford_comma', 'any')}
        options={sayEach(choices.oxford_comma)}
      />
      <Choice
        label={say('brand.emoji')} value={optional(style, 'emoji', 'sparse')} options={sayEach(choices.emoji)}
      />
      <Choice
        label={say('brand.inclusive')} value={optional(style, 'inclusive', 'suggest')}
        options={sayEach(choices.inclusive)}
      />
      <NumberField label={say('brand.sentence')} value={optional(style, 'max_sentence_words', 35)} min={0} max={200} />
      <NumberField label={say('brand.grade')} value={optional(style, 'max_grade', 14)} min={1} max={30} step='any' />
      <NumberField label={say('brand.passive')} value={optional(style, 'max_passive_pct', 25)} min={0} max={100} />
    </div>
  )
}

const publishers = { member: 'brand.members', admin: 'brand.admins' } as const

const Approval = ({ brand }: { brand: Cell<Brand> }) => {
  const approval = field(brand, 'approval')
  return (
    <div class='fields'>
      <NumberField label={say('brand.minScore')} value={field(brand, 'min_score')} min={0} max={100} />
      <Choice label={say('brand.approval')} value={asYesNo(field(approval, 'required'))} options={sayEach(yesNo)} />
      <Choice
        label={say('brand.selfApproval')} value={asYesNo(field(approval, 'self_approval'))} options={sayEach(yesNo)}
      />
      <Choice label={say('brand.publishers')} value={field(approval, 'publishers')} options={sayEach(publishers)} />
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
          label={say('brand.claims')} rows={3} value={asLines(optional(claims, 'forbidden', []))}
        />
        <AreaField
          label={say('brand.hosts')} rows={3}
          value={asLines(optional(brand, 'allowed_link_hosts', []))}
        />
      </div>
      <div class='fields'>
        <TextField label={say('brand.language')} value={field(locales, 'default')} required maxLength={12} />
        <TextField label={say('brand.languages')} value={asWords(field(locales, 'enabled'))} required />
      </div>
    </>
  )
}
