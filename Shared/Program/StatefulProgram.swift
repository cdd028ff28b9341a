package import Delivery

/// A program that runs partitions of one service; the conforming type is its `@main`.
package protocol StatefulProgram: SendableMetatype {
    associatedtype Partitioned: PartitionedService

    /// The service as the home configures it; reads only the files that it needs.
    static func service(home: Home) throws -> Partitioned
}

extension StatefulProgram {
    /// Runs the program until it is asked to end; exit codes are those of `Launch`.
    ///
    /// Under `NonisolatedNonsendingByDefault`, `@main` accepts an inherited `async` main only with
    /// `@concurrent`.
    @concurrent package static func main() async {
        await Launch.main(StatefulCommand<Self>.self) { command in
            let home = command.common.home
            if command.stdio {
                return try StandardStreamsRun(command: command, home: home).run(try service(home: home))
            }
            let configured = try home.withSnapshot()
            let service = try service(home: configured)
            if command.common.check { return }
            try await PartitionsRun(command: command, home: configured).run(service)
        }
    }
}
