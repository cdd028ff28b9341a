import ArgumentParser
import Contracts
import Program

struct RequestsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "Shows which requests the gateways have answered last, and how.",
        discussion: """
            Each gateway keeps the last 65,536 in a file of the folder `log`: who asked, for what, the answer's status, \
            code and field, and how long it took; no bodies. Every answer carries its id as `Request-Id`.

              counterfoil requests --buyer ada --status 4
            """
    )

    @OptionGroup var option: HomeOption

    @Option(help: "Only those for this buyer.")
    var buyer: String?

    @Option(help: "Only those about this order.")
    var order: String?

    @Option(help: "Only the one with this Request-Id.")
    var id: String?

    @Option(help: "Only those with this status, or with statuses that begin so: 4, 50.")
    var status: String?

    @Option(help: "The newest so many.")
    var limit = 100

    @Flag(help: "Print one JSON array.")
    var json = false

    mutating func validate() throws { try (1...65_536).check(limit, as: "--limit") }

    func run() throws {
        var search = RequestSearch()
        (search.buyer, search.order, search.id) = (buyer, order, id)
        (search.status, search.limit) = (status, limit)
        let found = try search.found(in: option.home)
        guard !json else { return try Terminal.printJSON(found) }
        guard !found.isEmpty else { return print("no such requests") }
        let columns: [TextTable.Column<RequestRecord>] = [
            ("TIME", { Timestamp(milliseconds: $0.time).rfc3339 }), ("REQUEST", \.id),
            ("CALLER", { $0.caller.isEmpty ? "-" : $0.caller }),
            ("BUYER", { $0.buyerId.isEmpty ? "-" : $0.buyerId }),
            ("METHOD", \.method), ("PATH", \.path), ("STATUS", { String($0.status) }),
            ("CODE", { $0.code.isEmpty ? "-" : $0.code }), ("FIELD", { $0.field.isEmpty ? "-" : $0.field }),
            ("MS", { String($0.milliseconds) }),
        ]
        print(TextTable(found, columns: columns).text)
    }
}
