// Written by: promptc list --format promptfoo
// The prompts for promptfoo are the artifacts that `promptc build` wrote, each with
// its variant's name. This file belongs beside prompts.yaml.
'use strict';
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');

const project = PROJECT;

if (!/^(|0|false|no)$/i.test(process.env.PROMPTFOO_DISABLE_TEMPLATING || '')) {
  throw new Error('unset PROMPTFOO_DISABLE_TEMPLATING: prompts are quoted so that templates leave them alone');
}

const folder = path.join(__dirname, project.artifacts);

// load gives a variant's artifact with values in the places of its slots.
function load(name, values) {
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'manifest.json'), 'utf8'));
  if (manifest.version !== 2) {
    throw new Error(`${project.artifacts}/manifest.json has another form: write this file again with the promptc that built it`);
  }
  const prompt = manifest.prompts.find((p) => p.variants.some((v) => v.name === name));
  if (!prompt) {
    throw new Error(`${project.artifacts} has no variant ${name}: run promptc build, or write this file again`);
  }
  const variant = prompt.variants.find((v) => v.name === name);
  const sections = manifest.tables.sections[variant.sections];
  const lines = new Set(prompt.slots.filter((s) => s.in_line).map((s) => s.name));
  const slots = manifest.tables.slots[variant.slots];
  const file = fs.readFileSync(path.join(folder, variant.file));
  if (crypto.createHash('sha256').update(file).digest('hex') !== variant.sha256) {
    throw new Error(`${project.artifacts}/${variant.file} was changed since it was built: run promptc build`);
  }
  if (slots.length === 0) {
    return file.toString();
  }
  const valueOf = (slot) => {
    const value = String(values[slot]);
    if (values[slot] === undefined) {
      throw new Error(`${name} needs a value for the slot ${slot}: put it into vars`);
    }
    if (lines.has(slot) && /[\n\r\v\f\u0085\u2028\u2029]| \| /.test(value)) {
      throw new Error(`${name}: the value of the slot ${slot} has a line break or " | ", which its line cannot hold`);
    }
    return value;
  };
  if (!variant.dialect) {
    return fill(file, sections, slots, valueOf);
  }
  // In JSON only the strings with slots are written anew.
  let text = file.toString();
  for (const [pointer, at] of [...strings(text)].reverse()) {
    const here = (x) => x.pointer === pointer;
    const inside = slots.filter(here);
    if (inside.length > 0) {
      const bytes = Buffer.from(JSON.parse(text.slice(at.start, at.end)));
      const filled = fill(bytes, sections.filter(here), inside, valueOf);
      if (filled === '') {
        throw new Error(`${name}: without a value for its slots, ${pointer} is empty`);
      }
      text = text.slice(0, at.start) + JSON.stringify(filled) + text.slice(at.end);
    }
  }
  return text;
}

// strings gives the places of the strings in a JSON text, by their pointers and in
// order.
function strings(text) {
  const out = new Map();
  let at = 0;
  const blanks = () => {
    while (' \t\r\n'.includes(text[at])) at++;
  };
  const string = () => {
    const start = at++;
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    return { start, end: ++at };
  };
  const value = (pointer) => {
    blanks();
    if (text[at] === '"') {
      out.set(pointer, string());
    } else if (text[at] === '{' || text[at] === '[') {
      const end = text[at++] === '{' ? '}' : ']';
      blanks();
      for (let i = 0; text[at] !== end; i++) {
        let key = i;
        if (end === '}') {
          const name = string();
          key = JSON.parse(text.slice(name.start, name.end)).replace(/~/g, '~0').replace(/\//g, '~1');
          blanks();
          at++; // the colon
        }
        value(`${pointer}/${key}`);
        blanks();
        if (text[at] === ',') at++;
        blanks();
      }
      at++;
    } else {
      while (at < text.length && !' \t\r\n,]}'.includes(text[at])) at++;
    }
  };
  value('');
  return out;
}

// fill puts values into the places of slots, which are bytes. Optional parts go if
// their slots are empty, and a section that is all optional with the join before it,
// or where it has none with that of the next section that stays.
function fill(bytes, sections, slots, valueOf) {
  const edits = [];
  let first = false;
  for (const section of sections) {
    const inside = slots.filter((s) => section.start <= s.start && s.end <= section.end);
    const gone = (section.optional ?? []).filter((part) => part.slots.every((slot) => valueOf(slot) === ''));
    if (gone.some((part) => part.start === section.start && part.end === section.end)) {
      edits.push({ start: section.join ?? section.start, end: section.end, text: '' });
      first ||= section.join === undefined;
    } else {
      if (first) edits.push({ start: section.join, end: section.start, text: '' });
      first = false;
      let at = section.start;
      for (const { name, start, end } of [...gone, ...inside].sort((a, b) => a.start - b.start || b.end - a.end)) {
        if (end > at) edits.push({ start: Math.max(start, at), end, text: name === undefined ? '' : valueOf(name) });
        at = Math.max(at, end);
      }
    }
  }
  for (const edit of edits.reverse()) {
    bytes = Buffer.concat([bytes.subarray(0, edit.start), Buffer.from(edit.text), bytes.subarray(edit.end)]);
  }
  return bytes.toString();
}

// template gives what the template engine of promptfoo makes the text of. It would
// lay JSON out anew: the empty comment makes it none.
function template(text) {
  return '{##}' + text.replace(/\{(?=[{%#])|#(?=\})/g, (c) => `{{'${c}'}}`);
}

module.exports = {
  prompts: project.variants.map((name) => ({ raw: name, label: name, function: ({ vars }) => template(load(name, vars)) })),
  providers: ['echo'],
  defaultTest: { vars: project.examples },
};
