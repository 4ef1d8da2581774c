// The controls of a view, made of the schema: each is an option of the request.

const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== false && value !== undefined) made.setAttribute(name, value === true ? '' : value);
  made.append(...children);
  return made;
};
export { element };

const choices = (key) => (key.type === 'one of' && key.takes.includes('|') && !/[A-Z]/.test(key.takes) ? key.takes.split('|') : null);
const name_of = (key) => key.key.replaceAll('_', ' ');

function control(view, key, value) {
  const id = `${view.id}-${key.key}`;
  const common = { id, name: key.key, 'aria-describedby': `${id}-about` };
  const listed = choices(key);
  if (key.type === 'true or false') return element('input', { ...common, type: 'checkbox', checked: value === 'true' || value === true });
  if (listed) {
    const made = element('select', common, element('option', { value: '' }, key.default ? `(${key.default})` : '(default)'),
      ...listed.map((one) => element('option', { value: one }, one)));
    made.value = value ?? '';
    return made;
  }
  const made = element('input', { ...common, type: 'text', placeholder: key.default, autocomplete: 'off', spellcheck: 'false',
    list: key.key === 'model' ? 'models' : key.key === 'device' ? 'devices-list' : undefined });
  made.value = value ?? '';
  return made;
}

function field(view, key, value) {
  const id = `${view.id}-${key.key}`;
  return element('div', { class: 'field', 'data-key': key.key },
    element('label', { for: id }, name_of(key)), control(view, key, value),
    element('small', { id: `${id}-about` }, key.about), element('p', { class: 'problem', role: 'alert' }));
}

/** The form of a view; `keys` are the schema's. */
export function form_of(view, keys, values) {
  const front = view.front.map((name) => keys.get(name)).filter(Boolean);
  const rest = [...keys.values()].filter((key) => !view.front.includes(key.key) && !(key.key in (view.fixed ?? {})));
  const more = element('details', {}, element('summary', {}, `${rest.length} more options`), ...rest.map((key) => field(view, key, values[key.key])));
  more.open = rest.some((key) => values[key.key]);
  return [...front.map((key) => field(view, key, values[key.key])), ...(rest.length ? [more] : [])];
}

/** What stands in a form, by key; what is empty is left out. */
export function values_of(form) {
  const values = {};
  for (const one of form.querySelectorAll('[name]')) {
    const value = one.type === 'checkbox' ? (one.checked ? 'true' : '') : one.value.trim();
    if (value !== '') values[one.name] = value;
  }
  return values;
}

/** The library's error at the field that it names; false where no field has that name. */
export function show_problem(form, error) {
  for (const one of form.querySelectorAll('.problem')) one.textContent = '';
  for (const one of form.querySelectorAll('[aria-invalid]')) one.removeAttribute('aria-invalid');
  if (!error) return true;
  const place = [...form.querySelectorAll('.field')].find((one) => one.dataset.key === error.field);
  if (!place) return false;
  place.querySelector('.problem').textContent = error.message;
  place.querySelector('[name]').setAttribute('aria-invalid', 'true');
  const folded = place.closest('details');
  if (folded) folded.open = true;
  return true;
}
