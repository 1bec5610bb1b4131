import t from '../tap.js'
import { readCorpus } from '../../bench/corpus/documents.js'
import { scoreOf, totalsOf } from '../../bench/corpus/score.js'

/** What the corpus must not fall below; bench/README.md has what it reaches. */
const floor = { recall: 0.6, visible: 0.995, precision: 0.8, questions: 0.85 }

t.test('the corpus: what is demanded is taken or visible as undecided, and little else is taken', async (t) => {
  const scores = (await readCorpus()).map(scoreOf)
  t.ok(scores.length >= 30, `${scores.length} documents`)
  const { recall, visible, precision, questions } = totalsOf(scores)
  t.ok(visible >= floor.visible, `visible ${visible}: ${JSON.stringify(scores.flatMap(({ lost }) => lost))}`)
  t.ok(recall >= floor.recall, `recall ${recall}: ${JSON.stringify(scores.flatMap(({ missed }) => missed))}`)
  t.ok(precision >= floor.precision, `precision ${precision}: ${JSON.stringify(scores.flatMap(({ wrong }) => wrong))}`)
  t.ok(questions >= floor.questions, `questions ${questions}`)
})
