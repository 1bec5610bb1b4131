import type { Page } from 'playwright-core'
import { hasFocus, tabTo } from './browser.js'

/** What a person does who has no mouse: nothing here touches the page but its keys. */
export const keysOf = (page: Page) => {
  const dialog = page.getByRole('dialog')
  const press = (key: string) => page.keyboard.press(key)
  const type = (text: string) => page.keyboard.type(text)
  /** Waits for what a reload or a dialog that closes gives the focus to. @throws Error when it stays nowhere */
  const kept = (before: string) => page.locator('body :focus').waitFor({ state: 'attached' })
    .catch(() => { throw new Error(`The focus is lost before ${before}`) })
  /** Goes on by Tab, from where the focus is, to what has this name. */
  const goTo = async (name: string) => {
    await kept(name)
    if (!await hasFocus(page, name)) await tabTo(page, name)
  }
  /** The same backwards, to what was passed a moment ago. */
  const goBackTo = async (name: string) => {
    await kept(name)
    if (!await hasFocus(page, name)) await tabTo(page, name, 'Shift+Tab')
  }
  const use = async (name: string, key = 'Enter') => {
    await goTo(name)
    await press(key)
  }
  const write = async (name: string, text: string) => {
    await goTo(name)
    await press('Control+A')
    await type(text)
  }
  return {
    press,
    type,
    goTo,
    goBackTo,
    use,
    write,
    /** Opens a page, and skips the navigation by its first link. */
    open: async (address: string, heading: string) => {
      await page.goto('about:blank')
      await page.goto(address)
      await page.locator('main').getByRole('heading', { level: 1, name: heading }).waitFor()
      await press('Tab')
      await press('Enter')
      await page.locator('#main:focus').waitFor()
    },
    /** Chooses what a select or a field that searches has under these words. */
    choose: async (name: string, words: string) => {
      await write(name, words)
      await page.getByRole('option', { name: words }).first().waitFor()
      await press('ArrowDown')
      await press('Enter')
    },
    /** Chooses in a select by the beginning of the option's words. */
    select: async (name: string, words: string) => {
      await goTo(name)
      await type(words)
    },
    gone: () => dialog.waitFor({ state: 'detached' }),
    /** Looks at what the dialog would change, and approves it; then the focus is on what closes the dialog. */
    approve: async () => {
      await use('Show what changes')
      await dialog.locator('.preview').waitFor()
      await use('Approve A')
      await dialog.getByRole('button', { name: 'Close' }).and(page.locator(':focus')).waitFor()
    }
  }
}
