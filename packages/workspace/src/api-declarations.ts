import { dirname } from "node:path";
import ts from "typescript";

/** An exported name of a module, with its declarations. */
export interface ExportedName {
  name: string;
  /** The symbol, resolved through every `export … from`. */
  symbol: ts.Symbol;
}

/** The declaration of one name, as text. */
interface Declaration {
  /**
   * The declarations as in a `.d.ts`, without comments. There are several for overloads, or for a value and a type of
   * the same name.
   */
  texts: string[];
  /** The types that the texts mention, as the module names them. */
  mentions: ts.Symbol[];
}

/** The declarations of modules, as `tsc --declaration` writes them. */
export interface Declarations {
  exportsOf(file: string): ExportedName[];
  declarationOf(symbol: ts.Symbol): Declaration;
  /** Returns the paths of the files that declare it. */
  filesOf(symbol: ts.Symbol): string[];
}

/** Reads modules and all their imports. */
export function readDeclarations(files: readonly string[], compilerOptions: ts.CompilerOptions): Declarations {
  const program = ts.createProgram(files, {
    ...compilerOptions,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    removeComments: true,
    newLine: ts.NewLineKind.LineFeed,
  });
  const checker = program.getTypeChecker();
  const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });
  const emitted = new Map<ts.SourceFile, ts.SourceFile>();
  const symbols = new Map<ts.SourceFile, Map<string, ts.Symbol>>();

  const resolve = (symbol: ts.Symbol) =>
    checker.getExportSymbolOfSymbol(symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);

  function emit(source: ts.SourceFile): ts.SourceFile {
    const found = emitted.get(source);
    if (found) return found;
    let text = source.text;
    if (!source.isDeclarationFile) {
      const keep: ts.WriteFileCallback = (_path, output) => {
        text = output;
      };
      program.emit(source, keep, undefined, true);
    }
    const file = ts.createSourceFile(`${dirname(source.fileName)}/emitted.d.ts`, text, ts.ScriptTarget.Latest);
    emitted.set(source, file);
    return file;
  }

  /** Returns the types of this repository that a module declares or imports, by local name. */
  function typesIn(source: ts.SourceFile): Map<string, ts.Symbol> {
    const found = symbols.get(source);
    if (found) return found;
    const types = checker
      .getSymbolsInScope(source, ts.SymbolFlags.Type | ts.SymbolFlags.Alias)
      .map((symbol) => [symbol.name, resolve(symbol)] as const)
      .filter(([, symbol]) => symbol.flags & ts.SymbolFlags.Type && !(symbol.flags & ts.SymbolFlags.TypeParameter));
    const map = new Map(types);
    symbols.set(source, map);
    return map;
  }

  function addMentions(node: ts.Node, types: ReadonlyMap<string, ts.Symbol>, found: Set<ts.Symbol>): void {
    const symbol = types.get(mentionOf(node) ?? "");
    if (symbol) found.add(symbol);
    ts.forEachChild(node, (child) => addMentions(child, types, found));
  }

  return {
    exportsOf(file) {
      const source = program.getSourceFile(file);
      const module = source && checker.getSymbolAtLocation(source);
      if (!module) throw new Error(`${file} is not a module`);
      return checker
        .getExportsOfModule(module)
        .map((symbol) => ({ name: symbol.name, symbol: resolve(symbol) }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    declarationOf(symbol) {
      const mentions = new Set<ts.Symbol>();
      const sources = new Set((symbol.declarations ?? []).map((declaration) => declaration.getSourceFile()));
      const texts = [...sources].flatMap((source) => {
        const file = emit(source);
        return statementsOf(file, symbol.name).map((statement) => {
          addMentions(statement, typesIn(source), mentions);
          const printed = ts.isVariableStatement(statement) ? inOrder(statement, file) : statement;
          return printer
            .printNode(ts.EmitHint.Unspecified, printed, file)
            .replace(/^(export )?(default )?(declare )?/, "$2");
        });
      });
      if (texts.length === 0) throw new Error(`${symbol.name} has no declaration that can be reported`);
      return { texts, mentions: [...mentions] };
    },
    filesOf: (symbol) => (symbol.declarations ?? []).map((declaration) => declaration.getSourceFile().fileName),
  };
}

/** Returns the `.d.ts` statements that declare a name, with lists of variables split. */
function statementsOf(file: ts.SourceFile, name: string): ts.Statement[] {
  return file.statements.flatMap((statement): ts.Statement[] => {
    if (ts.isVariableStatement(statement)) {
      const list = statement.declarationList;
      const declarations = list.declarations.filter((one) => ts.isIdentifier(one.name) && one.name.text === name);
      return declarations.map((one) =>
        ts.factory.createVariableStatement(undefined, ts.factory.createVariableDeclarationList([one], list.flags)),
      );
    }
    if (!ts.isDeclarationStatement(statement)) return [];
    const isDefault = ts.canHaveModifiers(statement) && statement.modifiers?.some(isDefaultKeyword);
    return statement.name?.text === name || (isDefault && name === "default") ? [statement] : [];
  });
}

/**
 * Sorts the alternatives of inferred types. TypeScript lists them in the order in which it has met their values in the
 * whole program, so that an unrelated file could change the text.
 */
function inOrder<T extends ts.Statement>(statement: T, file: ts.SourceFile): T {
  const textOf = (node: ts.Node) => node.getText(file);
  const sorted = <Node extends ts.Node>(nodes: readonly Node[]) =>
    [...nodes].sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  const isValue = (type: ts.TypeNode) => ts.isLiteralTypeNode(type) || type.kind === ts.SyntaxKind.UndefinedKeyword;
  const isEnum = ({ members }: ts.TypeLiteralNode) =>
    members.every((member) => ts.isPropertySignature(member) && member.type && ts.isLiteralTypeNode(member.type));
  const transformer: ts.TransformerFactory<T> = (context) => (root) => {
    function visit(node: ts.Node): ts.Node {
      if (ts.isUnionTypeNode(node) && node.types.every(isValue)) {
        return ts.factory.updateUnionTypeNode(node, ts.factory.createNodeArray(sorted(node.types)));
      }
      if (ts.isTypeLiteralNode(node) && isEnum(node)) {
        return ts.factory.updateTypeLiteralNode(node, ts.factory.createNodeArray(sorted(node.members)));
      }
      return ts.visitEachChild(node, visit, context);
    }
    return ts.visitNode(root, visit) as T;
  };
  return ts.transform(statement, [transformer]).transformed[0]!;
}

function isDefaultKeyword({ kind }: ts.Node): boolean {
  return kind === ts.SyntaxKind.DefaultKeyword;
}

/** Returns the name of the type that a node refers to. */
function mentionOf(node: ts.Node): string | undefined {
  let name: ts.Node | undefined;
  if (ts.isTypeReferenceNode(node)) name = node.typeName;
  else if (ts.isExpressionWithTypeArguments(node)) name = node.expression;
  return name && ts.isIdentifier(name) ? name.text : undefined;
}
