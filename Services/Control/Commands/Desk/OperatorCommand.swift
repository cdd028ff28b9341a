import ArgumentParser
import Contracts
import Delivery
import Program

extension OperatorRole: ExpressibleByArgument {}

struct OperatorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator",
        abstract: "Adds, lists and revokes operators: who may act on the group, and what they may do.",
        discussion: """
            Each operator has a key of their own, which acting commands take from COUNTERFOIL_OPERATOR_KEY. The home \
            has its digest alone, in operators.json. Running gateways follow that file: a key counts, and counts no \
            more, with the next request.
            """,
        subcommands: [Add.self, List.self, Revoke.self]
    )

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a key, and prints it this once.",
            discussion: "After `operator revoke`, the same name with a new key is the same operator."
        )

        @OptionGroup var option: HomeOption
        @Argument(help: "Who it is.") var name: String
        @Option(help: "read: look; support: also assign and propose; approve: also confirm and reverse.")
        var role: OperatorRole

        mutating func validate() throws {
            guard name.isPrintable(bytes: Operator.nameBytes) else {
                throw ValidationError("NAME must be one line of 1 to \(Operator.nameBytes.upperBound) bytes.")
            }
        }

        func run() throws {
            let now = ClockReading.current().now
            let (key, added) = try OperatorFile(home: option.home).add(name, role, at: now)
            Terminal.warn("\(added.id) is \(name), who may \(role.rawValue); nobody can show this key again:")
            print(key)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the operators, revoked ones too.")

        @OptionGroup var option: HomeOption
        @Flag(help: "Print one JSON array.") var json = false

        private struct Row: Encodable {
            let id: OperatorID
            let name: String
            let role: OperatorRole
            let addedAt: String
            let revokedAt: String?
        }

        func run() throws {
            let rows = try OperatorRegister(of: option.home).operators.map {
                Row(
                    id: $0.id,
                    name: $0.name,
                    role: $0.role,
                    addedAt: $0.addedAt.rfc3339,
                    revokedAt: $0.revokedAt?.rfc3339
                )
            }
            guard !json else { return try Terminal.printJSON(rows) }
            guard !rows.isEmpty else {
                return print("no operators; `counterfoil operator add NAME --role …`")
            }
            let columns: [TextTable.Column<Row>] = [
                ("OPERATOR", \.id.rawValue), ("NAME", \.name), ("ROLE", \.role.rawValue),
                ("ADDED", \.addedAt), ("REVOKED", { $0.revokedAt ?? "-" }),
            ]
            print(TextTable(rows, columns: columns).text)
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Ends an operator's key.")

        @OptionGroup var option: HomeOption
        @Argument(help: "The name or the id, as `operator list` shows it.") var name: String

        func run() throws {
            let now = ClockReading.current().now
            let revoked = try OperatorFile(home: option.home).revoke(name, at: now)
            print("the key of \(revoked.name) (\(revoked.id)) is revoked")
        }
    }
}
