// Texts, components and icons that nobody uses: node unused.mjs FOLDER, which has node_modules, src and tsconfig.json. For tests/console/types.
import {createRequire} from 'node:module';
import {join, relative, resolve} from 'node:path';

const folder = resolve(process.argv[2]);
const ts = createRequire(join(folder, 'package.json'))('typescript');
const {config} = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile);
const {fileNames, options} = ts.parseJsonConfigFileContent(config, ts.sys, folder);
const program = ts.createProgram(fileNames, options);
const checker = program.getTypeChecker();

const nameOf = (file) => relative(join(folder, 'src'), file.fileName);
const sources = program.getSourceFiles().filter((file) => !file.isDeclarationFile && !nameOf(file).startsWith('..'));
const isText = (file) => /^texts\/en\//.test(nameOf(file));
const isDesign = (file) => /^design\//.test(nameOf(file));
// The gallery shows what there is, whether a page has it or not.
const users = sources.filter((file) => !/^(texts|pages\/gallery)\//.test(nameOf(file)));

const used = new Set(); // declarations
const use = (symbol) => {
  if (!symbol) return;
  const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  for (const each of meant.declarations ?? []) used.add(each);
};
const isOfTexts = (symbol) => (symbol.declarations ?? []).some((each) => isText(each.getSourceFile()));
const useAllOf = (type) => type.getProperties().filter(isOfTexts).forEach(use);

// Texts may be given to what knows nothing of them, but of the names of some.
const isGiven = (node, {parent} = node) => ts.isJsxExpression(parent) || (ts.isPropertyAssignment(parent) && parent.initializer === node) || (ts.isCallExpression(parent) && parent.expression !== node);
function give(node) {
  const given = checker.getTypeAtLocation(node);
  for (const wanted of checker.getContextualType(node)?.getNonNullableType().getProperties() ?? []) {
    const text = isOfTexts(wanted) ? undefined : given.getProperty(wanted.name);
    if (text && isOfTexts(text)) use(text);
  }
}

function visit(node) {
  if ((ts.isPropertyAccessExpression(node) || ts.isIdentifier(node)) && isGiven(node)) give(node);
  if (ts.isPropertyAccessExpression(node)) {
    use(checker.getSymbolAtLocation(node.name));
  } else if (ts.isElementAccessExpression(node)) useAllOf(checker.getTypeAtLocation(node.expression));
  else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && !node.dotDotDotToken)
    use(checker.getTypeAtLocation(node.parent).getProperty((node.propertyName ?? node.name).getText()));
  else if (ts.isImportSpecifier(node)) use(checker.getSymbolAtLocation(node.name));
  else if (ts.isImportClause(node) && node.name) use(checker.getSymbolAtLocation(node.name));
  else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    checker.getExportsOfModule(checker.getSymbolAtLocation(node.arguments[0])).filter(({name}) => name === 'default').forEach(use);
  ts.forEachChild(node, visit);
}
users.forEach(visit);

// Fields and tabs for pages that are not there yet.
const kToCome = new Set(['DateField', 'TimeField', 'DatePicker', 'NumberField', 'Tabs']);

const faults = [];
const say = (node, what) => faults.push(`${nameOf(node.getSourceFile())}: ${what}`);

/** `path`: of the groups that a text is in. */
function judgeTexts(node, path = []) {
  if (ts.isObjectLiteralExpression(node)) for (const each of node.properties) judgeTexts(each.initializer ?? each, [...path, each]);
  else if (!path.every((each) => used.has(each))) say(node, path.map((each) => each.name.getText()).join('.'));
}
for (const file of sources.filter(isText))
  for (const statement of file.statements.filter(ts.isVariableStatement))
    for (const {initializer} of statement.declarationList.declarations) if (ts.isObjectLiteralExpression(initializer)) judgeTexts(initializer);

for (const file of sources.filter(isDesign))
  for (const {name, declarations} of checker.getExportsOfModule(checker.getSymbolAtLocation(file)))
    for (const each of declarations)
      if (!ts.isInterfaceDeclaration(each) && !ts.isTypeAliasDeclaration(each) && used.has(each) === kToCome.has(name))
        say(each, name + (kToCome.has(name) ? ', says kToCome here' : ''));

const words = new Set(users.filter((file) => nameOf(file) !== 'design/icons.ts').flatMap((file) => [...file.text.matchAll(/['"](\w+)['"]/g)].map(([, word]) => word)));
const icons = sources.find((file) => nameOf(file) === 'design/icons.ts');
for (const {valueDeclaration} of checker.getExportsOfModule(checker.getSymbolAtLocation(icons)))
  for (const each of valueDeclaration.initializer.properties) if (!words.has(each.name.getText())) say(each, `icon ${each.name.getText()}`);

for (const fault of faults) console.log(`nobody uses ${fault}`);
process.exit(faults.length > 0 ? 1 : 0);
