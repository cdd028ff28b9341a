import FoundationEssentials

/// A declaration of a contract, and the code that it stands for: text of a source in, text of a source out.
///
/// The declaration is read as `swift format` leaves it, with a stored property on each line, and the code is written as
/// `swift format` would leave it.
///
/// - A struct that is a `Contract` or `Codable` gets an initializer of all its stored properties in their order, with
///   their initial values as default arguments, unless it declares an initializer itself.
/// - A struct that names `DirectlyCoded` gets the description of its members, in the order of its properties.
struct ContractCode {
    /// A stored property.
    struct Property {
        let name: String
        let type: String
        /// What it is unless a call says something else.
        let initial: String?
    }

    /// A stored property of another form than `package var name: Type`, with an initial value or without one.
    struct Irregular: Error {
        let line: Substring
    }

    /// With the names around it, such as `SubscriptionsV1.Subscription`.
    let name: String
    private let kind: Substring
    private let protocols: Set<Substring>
    /// The lines with which its own members begin.
    private let members: [Substring]

    /// The text of each file to be generated, by its path: two kinds of files for each folder of contracts.
    static func files(from sources: [(path: String, text: String)]) throws -> [String: String] {
        var blocks: [String: [String]] = [:]
        for (path, text) in sources where !path.hasPrefix(folder) {
            let start = folder + (path.split(separator: "/").dropLast().last ?? "")
            blocks["\(start)Initializers.swift", default: [initializersHead]] += try initializers(of: text)
            blocks["\(start)DirectForms.swift", default: [head]] += try directForms(of: text)
        }
        return blocks.filter { $0.value.count > 1 }.mapValues { $0.joined(separator: "\n\n") + "\n" }
    }

    /// Where generated code lies.
    static let folder = "Shared/Contracts/Generated/"
    /// Writes it anew, also while nothing else can be compiled.
    static let command = "swift -D GENERATE Tests/TidyTests/ContractCode.swift"

    private static let head = """
        // Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
        // \(command)
        """

    private static let initializersHead = """
        \(head)
        //
        // The compiler makes an initializer of the same members that other modules do not see. The last parameter,
        // which no call names, tells the two apart.
        """

    /// An extension for each struct of a source that gets an initializer.
    static func initializers(of source: String) throws -> [String] {
        let all = declarations(in: source)
        let names = Set(all.map(\.name))
        return try all.filter(\.isContract).map { try $0.initializer(beside: names) }
    }

    /// An extension for each struct of a source that gets a description.
    static func directForms(of source: String) throws -> [String] {
        try declarations(in: source).filter(\.isDirectlyCoded).map { try $0.directForm() }
    }

    private var isContract: Bool {
        kind == "struct" && !protocols.isDisjoint(with: ["Contract", "RequestContract", "Codable"])
            && !members.contains { $0.contains(#/^(?:[@\w()]+ )*init[?(<]/#) }
    }

    private var isDirectlyCoded: Bool { kind == "struct" && protocols.contains("DirectlyCoded") }

    /// Types and extensions whose bodies have several lines; generic types are none of them.
    private static func declarations(in source: String) -> [ContractCode] {
        let head = #/(?m)^( *)(?:package )?(struct|enum|extension) ([\w.]+)(?:: ([^{<]+))?\s*\{\n/#
        var around: [(margin: Substring, name: Substring)] = []
        return source.matches(of: head).map { match in
            let (margin, inner) = (match.1, match.1 + "    ")
            around.removeAll { $0.margin.count >= margin.count }
            around.append((margin, match.3))
            let lines = source[match.range.upperBound...].split(separator: "\n").prefix { $0 != margin + "}" }
            return ContractCode(
                name: around.map(\.name).joined(separator: "."),
                kind: match.2,
                protocols: Set((match.4 ?? "").split { !$0.isLetter }),
                members: lines.filter { $0.hasPrefix(inner) }.map { $0.dropFirst(inner.count) }
                    .filter { !$0.hasPrefix(" ") }
            )
        }
    }

    private func properties() throws -> [Property] {
        let stored = members.filter {
            $0.contains(#/^(?:[@\w()]+ )*(?:var|let) \w/#) && !$0.contains("static ") && !$0.hasSuffix("{")
                && !$0.hasSuffix("}")
        }
        return try stored.map { line in
            guard let match = line.wholeMatch(of: #/package (var|let) (\w+): ([^=]+?)(?: = (.+))?/#),
                match.1 == "var" || match.4 == nil
            else { throw Irregular(line: line) }
            return Property(name: String(match.2), type: String(match.3), initial: match.4.map(String.init))
        }
    }

    private func initializer(beside names: Set<String>) throws -> String {
        let properties = try properties()
        let parameters = properties.map { property in
            let type = visible(property.type, among: names)
            return "\(property.name): \(type)" + (property.initial.map { " = \($0)" } ?? "")
        }
        let head = Self.fitted("    package init(", parameters + ["_: Void = ()"], ") {")
        let body = properties.map { "        self.\($0.name) = \($0.name)" }
        return block(head + body + ["    }"])
    }

    private func directForm() throws -> String {
        let members = try properties().flatMap { property in
            let kind = property.type.hasSuffix("?") ? "optional" : "member"
            let (name, start) = (property.name, "        \(property.name) = try json.\(kind)(")
            return Self.fitted(start, ["\"\(name)\"", "value?.\(name)"], ")")
        }
        let head =
            "@inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {"
        let (open, close) = ("        try json.open()", "        try json.close()")
        return block(["    \(head)", open] + members + [close, "    }"])
    }

    private func block(_ lines: [String]) -> String {
        (["extension \(name) {"] + lines + ["}"]).joined(separator: "\n")
    }

    /// A list in one line if it fits, otherwise with a line for each element.
    private static func fitted(_ start: String, _ elements: [String], _ end: String) -> [String] {
        let line = start + elements.joined(separator: ", ") + end
        if line.count <= maximumCharacters { return [line] }
        let margin = String(start.prefix { $0 == " " })
        let lines = elements.enumerated().map { index, element in
            "\(margin)    \(element)" + (index < elements.count - 1 ? "," : "")
        }
        return [start] + lines + [margin + end]
    }

    /// The line length of `.swift-format`.
    private static let maximumCharacters = 110

    /// A type as an extension has to write it, which does not see what is declared around its own type.
    private func visible(_ type: String, among names: Set<String>) -> String {
        let path = name.split(separator: ".").map(String.init)
        return type.replacing(#/\.?[A-Z]\w*/#) { match in
            let word = String(match.0)
            if names.contains("\(name).\(word)") { return word }
            let around = path.indices.reversed().map { (path[..<$0] + [word]).joined(separator: ".") }
            return around.first { names.contains($0) } ?? word
        }
    }
}

#if GENERATE
extension ContractCode {
    /// Writes the generated files of the repository that is the current folder.
    static func write() throws {
        let (contracts, manager) = ("Shared/Contracts", FileManager.default)
        let names = try manager.subpathsOfDirectory(atPath: contracts).filter { $0.hasSuffix(".swift") }
        let sources = try names.sorted().map { name in
            let path = "\(contracts)/\(name)"
            return (path, try String(contentsOfFile: path, encoding: .utf8))
        }
        let files = try files(from: sources)
        if manager.fileExists(atPath: folder) { try manager.removeItem(atPath: folder) }
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (path, text) in files { try text.write(toFile: path, atomically: true, encoding: .utf8) }
    }
}

// As a script the file begins here. It is a declaration because a module of tests takes no statement.
let written: Void = try ContractCode.write()
#endif
