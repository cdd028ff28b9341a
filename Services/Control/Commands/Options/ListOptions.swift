import ArgumentParser
import Contracts
import Program

struct ListOptions: ParsableArguments {
    @OptionGroup var option: HomeOption

    @Flag(help: "Print one JSON array.")
    var json = false

    /// Prints what all partitions list, as a table or JSON; then throws with exit code 3 when one was missed.
    ///
    /// `rest` says how many rows a partition has beside those that it lists; that is said on standard error.
    func show<Question: RequestContract, Row: Encodable>(
        _ question: Question,
        as row: (PartitionAddress, Question.Reply.Element) -> Row,
        none: String,
        columns: [TextTable.Column<Row>],
        rest: ((PartitionStatus, Question.Reply) -> Int)? = nil
    ) async throws where Question.Reply: Collection {
        let answers = try await PartitionInquiry.askAll(question, in: option.home)
        let rows = answers.found.flatMap { address, items in items.map { row(address, $0) } }
        if json {
            try Terminal.printJSON(rows)
        } else if !rows.isEmpty {
            print(TextTable(rows, columns: columns).text)
        } else if answers.missed.isEmpty {
            print(none)
        }
        if let rest {
            let lines = try await PartitionInquiry.of(option.home) {
                try await ListRest(group: $0).lines(beside: answers.found, rest)
            }
            for line in lines { Terminal.warn(line) }
        }
        try answers.missed.check("the list")
    }
}
