import ArgumentParser
import Contracts
import Domain
import Program

struct ActsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "acts",
        abstract: "Shows what operators have done: who, when, what, why, before and after.",
        discussion: """
            The record only grows. It names buyers by a pseudonym, which --buyer finds, and operators by their id; the \
            names come from operators.json.
            """
    )

    private struct Row: Codable {
        let at: PartitionAddress
        let act: Act
        let name: String?
    }

    private struct Answer: Codable { let acts: [Row] }

    @OptionGroup var options: DeskOptions

    @Option(help: "Only acts for this buyer.")
    var buyer: BuyerID?

    @Option(help: "Only acts about this purchase or proposal, or of this operator (by id).")
    var about: String?

    @Option(help: "The newest so many.")
    var limit = 50

    mutating func validate() throws {
        try (1...200).check(limit, as: "--limit")
        guard buyer == nil || about == nil else {
            throw ValidationError("name --buyer or --about, not both.")
        }
    }

    func run() async throws {
        var query = "?limit=\(limit)"
        if let buyer { query += "&buyer=\(buyer.rawValue.queryEncoded)" }
        if let about { query += "&about=\(about.queryEncoded)" }
        if let app = options.app { query += "&bundleId=\(app)" }
        let client = try DeskClient(of: options.option.home)
        let answer = try await client.get("/acts" + query, as: Answer.self)
        guard !options.json else { return try Terminal.printJSON(answer) }
        guard !answer.acts.isEmpty else { return print("no acts") }
        let columns: [TextTable.Column<Row>] = [
            ("TIME", \.act.time.rfc3339),
            ("OPERATOR", { $0.name ?? $0.act.operatorId?.rawValue ?? "the ledger" }),
            ("ACT", \.act.kind.rawValue), ("SUBJECT", \.act.subject), ("FOR", { $0.act.person ?? "-" }),
            ("WHY", { $0.act.reason ?? "-" }), ("BEFORE", \.act.before), ("AFTER", \.act.after),
        ]
        print(TextTable(answer.acts, columns: columns).text)
    }
}

extension String {
    /// As a value of a query, RFC 3986.
    var queryEncoded: String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                [byte]
            default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
