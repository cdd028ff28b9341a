import ArgumentParser
import Contracts
import Glibc
import Program

@main
enum CounterfoilProgram {
    @concurrent static func main() async {
        do {
            var command = try Counterfoil.parseAsRoot()
            if var waiting = command as? any AsyncParsableCommand {
                try await waiting.run()
            } else {
                try command.run()
            }
            exit(0)
        } catch {
            Launch.end(Counterfoil.self, error)
        }
    }
}

struct Counterfoil: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counterfoil",
        abstract: "Runs and looks after a group of Counterfoil's services.",
        discussion: "The home is --home, else $COUNTERFOIL_HOME, else ~/.counterfoil/default.",
        version: Release.version,
        groupedSubcommands: [
            CommandGroup(
                name: "The group",
                subcommands: [
                    InitCommand.self, JoinCommand.self, UpCommand.self, DownCommand.self, StatusCommand.self,
                    ScaleCommand.self, RestartCommand.self, CheckCommand.self, CatalogCommand.self,
                    LogsCommand.self, TokenCommand.self, KeysCommand.self,
                ]
            ),
            CommandGroup(
                name: "Backups",
                subcommands: [BackupCommand.self, RestoreCommand.self, StoreCommand.self, MoveCommand.self]
            ),
            CommandGroup(
                name: "Messages",
                subcommands: [
                    SendCommand.self, TraceCommand.self, DeadCommand.self, DelayedCommand.self,
                    LinksCommand.self, RetryCommand.self, AuditCommand.self,
                ]
            ),
            CommandGroup(
                name: "The desk",
                subcommands: [
                    FindCommand.self, OrphansCommand.self, ParkedCommand.self, HeldUpCommand.self,
                    OpenCommand.self,
                    UndeliveredCommand.self, ProposalsCommand.self, OperatorCommand.self, AssignCommand.self,
                    GrantCommand.self,
                    ConfirmCommand.self,
                    ReverseCommand.self, ReassignCommand.self, ActsCommand.self, RequestsCommand.self,
                ]
            ),
            CommandGroup(name: "Apple", subcommands: [VerifyCommand.self, ReconcileCommand.self]),
            CommandGroup(name: "Test homes", subcommands: [ListenCommand.self, TriggerCommand.self]),
        ]
    )
}
