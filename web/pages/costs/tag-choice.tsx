import { useRef } from 'preact/hooks'
import { api, body, type Schemas } from '../../api/client'
import { problemOf, type Problem } from '../../api/problem'
import { Combobox, type Found } from '../../parts/combobox'
import { dayOf, shiftDay } from './range'
import { say } from '../../texts/say'

interface Answer { tags?: Schemas['CostTags'], problem?: Problem }

/** So many are shown at once. */
const most = 50

/** The longest range of the page, whichever is chosen: AWS charges for each question, so one answer does for all. */
const readTags = async (account: string): Promise<Answer> => {
  const start_date = shiftDay(dayOf(Date.now()), -89)
  const query = { start_date, ...(account === '' ? {} : { account_id: account }) }
  try {
    return { tags: await body(api.GET('/cloud/costs/tags', { params: { query } })) }
  } catch (error) {
    return { problem: problemOf(error) }
  }
}

/** @returns the keys with these words; what is typed as well where AWS did not say all. A comma ends a key. */
const findIn = ({ tags, problem }: Answer, q: string): Found<string> => {
  const words = q.toLowerCase()
  const known = (tags?.keys ?? []).filter((key) => !key.includes(',') && key.toLowerCase().includes(words))
  const isTyped = (!tags || tags.partial) && q !== '' && !q.includes(',') && !known.includes(q)
  const keys = isTyped ? [q.slice(0, 128), ...known] : known
  return {
    options: keys.slice(0, most).map((key) => ({ key, label: key, item: key })), isMore: keys.length > most, problem
  }
}

interface Props { account: string, chosen: string, onChoose: (key: string) => void }

/** The key of a tag. The keys are read when the field opens, and a failure is kept too: typing asks for nothing. */
export const TagChoice = ({ account, chosen, onChoose }: Props) => {
  const held = useRef<{ account: string, answer: Promise<Answer> }>()
  const find = async (q: string) => {
    if (held.current?.account !== account) held.current = { account, answer: readTags(account) }
    return findIn(await held.current.answer, q)
  }
  return (
    <Combobox
      label={say('cost.tag')} chosen={chosen} find={find} forget={() => { held.current = undefined }}
      onChoose={(key = '') => onChoose(key)}
    />
  )
}
