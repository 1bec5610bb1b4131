import { sanitizePage } from './sanitize'
import './markdown.css'
import './picture.css'

/** A page as a target gets it: its own images are shown, and nothing else is fetched or run. */
export const PageHtml = ({ html }: { html: string }) =>
  <div class='markdown page-preview' dangerouslySetInnerHTML={{ __html: sanitizePage(html) }} />
