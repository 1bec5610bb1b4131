import t from '../tap.js'
import { readCorpus } from '../../bench/corpus/documents.js'
import { scoreOf, totalsOf } from '../../bench/corpus/score.js'

/** What the corpus must not fall below; bench/README.md has what it reaches. */
const floor = { recall: 0.99, precision: 0.95, questions: 0.85 }

t.test('the corpus: requirements are found, little else is taken, and nothing is lost without a word', async (t) => {
  const scores = (await readCorpus()).map(scoreOf)
  t.ok(scores.length >= 30, `${scores.length} documents`)
  for (const { name, unlisted } of scores) t.same(unlisted, [], name)
  const { recall, precision, questions } = totalsOf(scores)
  t.ok(recall >= floor.recall, `recall ${recall}: ${JSON.stringify(scores.flatMap(({ missed }) => missed))}`)
  t.ok(precision >= floor.precision, `precision ${precision}: ${JSON.stringify(scores.flatMap(({ wrong }) => wrong))}`)
  t.ok(questions >= floor.questions, `questions ${questions}`)
})
