import ArgumentParser
import Foundation
import Glibc

/// `counterfoil-load`: plays phones that buy, and proves that nothing paid for was lost or granted twice.
@main
enum LoadGenerator {
    /// Leaves with 0 when every law held, 1 when one was broken or the run failed, 2 when called wrongly.
    @concurrent static func main() async {
        signal(SIGPIPE, SIG_IGN)
        let command: LoadCommand
        do {
            command = try LoadCommand.parse()
        } catch  where LoadCommand.exitCode(for: error) == .success {
            print(LoadCommand.fullMessage(for: error))
            exit(0)
        } catch {
            leave(with: 2, saying: LoadCommand.message(for: error))
        }
        do {
            exit(try await command.perform() ? 0 : 1)
        } catch let error as WrongUse {
            leave(with: 2, saying: error.description)
        } catch {
            leave(with: 1, saying: "\(error)")
        }
    }

    private static func leave(with code: Int32, saying message: String) -> Never {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        FileHandle.standardError.write(Data("counterfoil-load: \(line)\n".utf8))
        exit(code)
    }
}

/// What the caller has to change.
struct WrongUse: Error, CustomStringConvertible {
    let description: String

    /// The home of the gateway does not have the root certificate of this run's App Store.
    static let untrustedRoot = WrongUse(
        description:
            "the gateway does not trust the root certificate of --appstore-state: write it to a file with "
            + "--write-root, and name that in extraRoots of a test home (counterfoil init --test --extra-root FILE)"
    )
}
