import t from '../tap.js'
import { startClient } from './browser.js'
import { furnish } from './furnished.js'

const steward = await startClient(t)
const { url, page, complaints } = steward
const { at } = await furnish(t, steward)

/** A control that a person may want, by its name, unless it is disabled or in something folded. */
const controls = 'main :is(a[href], button, input, select, textarea, summary):not(:disabled)'

interface Stop { index: number, isSeen: boolean, isInView: boolean, text: string }

/** Where the focus is, and whether a person sees that. */
const stopNow = () => page.evaluate<Stop>(`(() => {
  const active = document.activeElement
  const { top, bottom } = active.getBoundingClientRect()
  const styles = [active, active.closest('.composer-box') ?? active].map((each) => getComputedStyle(each))
  return {
    index: [...document.querySelectorAll(${JSON.stringify(controls)})].indexOf(active),
    isSeen: styles.some(({ outlineStyle, boxShadow }) => outlineStyle !== 'none' || boxShadow !== 'none'),
    isInView: bottom > 0 && top < innerHeight,
    text: active.outerHTML.slice(0, 120)
  }
})()`)

/** How many of the controls are there to be reached: radio buttons of a group are one stop. */
const listShown = () => page.evaluate<number[]>(`[...document.querySelectorAll(${JSON.stringify(controls)})]
  .map((each, index) => each.checkVisibility({ visibilityProperty: true }) && each.tabIndex >= 0 &&
    (each.type !== 'radio' || each.checked) ? index : -1).filter((index) => index >= 0)`)

for (const [name, path] of Object.entries(at).filter(([name]) => name !== 'components')) {
  t.test(`${name}: Tab reaches every control, one after the other, and shows where it is`, async (t) => {
    await page.goto('about:blank')
    await page.goto(`${url}/#/${path}`)
    await page.locator('main h1').first().waitFor()
    await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
    await page.evaluate("document.querySelector('a.skip').focus()")
    await page.keyboard.press('Enter')
    await page.locator('#main:focus').waitFor()
    const shown = await listShown()
    const reached = new Set<number>()
    for (let turn = 0; turn < shown.length * 2 + 10 && shown.some((index) => !reached.has(index)); turn++) {
      await page.keyboard.press('Tab')
      const stop = await stopNow()
      if (stop.index < 0) continue
      reached.add(stop.index)
      t.ok(stop.isSeen && stop.isInView, `${name}: the focus is seen on ${stop.text}`)
    }
    t.same(shown.filter((index) => !reached.has(index)), [], `${name}: what Tab does not reach of ${shown.length}`)
  })
}

t.test('nothing that the keyboard did was a fault', async (t) => { t.same(complaints, []) })
