import t from '../../../../test/tap.js'
import { postAddress } from '../../src/text/post-length.js'

t.test('an address of a post has the brackets that it closes, and no others', async (t) => {
  const found = (text: string) => text.match(postAddress)
  t.same(found('Autumn (background: https://sv.wikipedia.org/wiki/Lax_(fisk)), #Göteborg "x" https://example.org/v?a=b#part.'),
    ['https://sv.wikipedia.org/wiki/Lax_(fisk)', 'https://example.org/v?a=b#part'])
  t.same(found('(see https://example.org/a) and https://example.org/b!'), ['https://example.org/a', 'https://example.org/b'])
})
