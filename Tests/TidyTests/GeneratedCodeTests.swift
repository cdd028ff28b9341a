import Testing

/// What contracts say is written once: their initializers and direct forms are generated, and committed.
@Suite struct `Generated code` {
    @Test func `is what the declarations of contracts say`() throws {
        let sources = try House.sources(["Shared/Contracts"]).map { (path: $0.path, text: $0.text) }
        let expected = try ContractCode.files(from: sources)
        let found = sources.filter { $0.path.hasPrefix(ContractCode.folder) }
        #expect(expected.count > 5)
        for path in Set(expected.keys).union(found.map(\.path)).sorted() {
            let isSame = found.first { $0.path == path }?.text == expected[path]
            #expect(isSame, "\(path) is out of date; write it anew: \(ContractCode.command)")
        }
    }

    @Test func `lets a call leave out what has an initial value, and nothing else`() throws {
        let source = """
            /// A thing.
            package struct ThingV1: Contract, Hashable {
                package static let type: EventType = "counterfoil.thing.v1"

                /// What it is called.
                package var name: String
                package var count: Int? = nil
                package let note: String?

                package var isNamed: Bool { !name.isEmpty }
            }
            """
        let code = """
            extension ThingV1 {
                package init(name: String, count: Int? = nil, note: String?, _: Void = ()) {
                    self.name = name
                    self.count = count
                    self.note = note
                }
            }
            """
        #expect(try ContractCode.initializers(of: source) == [code])
        #expect(try ContractCode.directForms(of: source).isEmpty)
    }

    @Test func `describes the members of what names DirectlyCoded, in the order of its properties`() throws {
        let source = """
            package struct ThingV1: RequestContract, Hashable, DirectlyCoded {
                package var identifierOfTheOriginalTransaction: TransactionID?
                package var metadata: [String: JSONValue]

                package init(_ thing: Thing) {
                    metadata = thing.metadata
                }
            }
            """
        let code = """
            extension ThingV1 {
                @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
                    try json.open()
                    identifierOfTheOriginalTransaction = try json.optional(
                        "identifierOfTheOriginalTransaction",
                        value?.identifierOfTheOriginalTransaction
                    )
                    metadata = try json.member("metadata", value?.metadata)
                    try json.close()
                }
            }
            """
        #expect(try ContractCode.directForms(of: source) == [code])
        #expect(try ContractCode.initializers(of: source).isEmpty, "the one that it declares itself wins")
    }

    @Test func `names what is declared around a nested type`() throws {
        let source = """
            package struct Page: Codable, Hashable, Sendable {
                package enum Kind: String, Codable, Sendable {
                    case first, last
                }

                package struct Row: Codable, Hashable, Sendable {
                    package enum State: String, Codable, Sendable {
                        case known
                    }

                    package var kinds: [Kind]
                    package var state: State
                    package var origin: OrderV1.Kind? = nil
                }

                package var rows: [Row] = []
            }

            extension Page {
                package init(_ row: Row) { self.init(rows: [row]) }
            }
            """
        let page = """
            extension Page {
                package init(rows: [Row] = [], _: Void = ()) {
                    self.rows = rows
                }
            }
            """
        let row = """
            extension Page.Row {
                package init(kinds: [Page.Kind], state: State, origin: OrderV1.Kind? = nil, _: Void = ()) {
                    self.kinds = kinds
                    self.state = state
                    self.origin = origin
                }
            }
            """
        #expect(try ContractCode.initializers(of: source) == [page, row])
    }

    @Test(arguments: ["package var count = 0", "package let count: Int = 0", "private var count: Int"])
    func `is not written of a property in another form`(property: String) throws {
        let source = "package struct Thing: Codable {\n    \(property)\n}\n"
        #expect(throws: ContractCode.Irregular.self) { try ContractCode.initializers(of: source) }
    }

    @Test func `stands in a file for each folder of contracts`() throws {
        let source = "package struct ThingV1: Contract {\n    package var name: String\n}\n"
        let files = try ContractCode.files(from: [("Shared/Contracts/Operator/Traces/ThingV1.swift", source)])
        #expect(files.keys.sorted() == ["Shared/Contracts/Generated/TracesInitializers.swift"])
        let code = try #require(files.values.first)
        #expect(code.hasPrefix("// Generated ") && code.hasSuffix("}\n"))
        #expect(code.contains(ContractCode.command))
    }
}
