import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { api, body } from '../../api/client'
import { problemOf } from '../../api/problem'
import { useFilters } from '../../shell/location'

/**
 * A mail's link says in whose mail it was. What this page was opened by is told to the server once; then the address is
 * the page's own, which may be sent to others.
 * @returns whether it was another's, whose page this reader may not see
 */
export const useLink = (): boolean => {
  const { from } = useFilters(['from'])
  const isOfAnother = useSignal(false)
  const id = from.value
  useEffect(() => {
    if (id === '') return
    void body(api.POST('/account/deliveries/{delivery_id}/open', { params: { path: { delivery_id: id } } }))
      .catch((error: unknown) => { isOfAnother.value = problemOf(error).code === 'link_of_another' })
      .finally(() => { from.value = '' })
  }, [id])
  return isOfAnother.value
}
