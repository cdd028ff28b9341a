import ArgumentParser
import Foundation
import Glibc

/// `counterfoil-appstore`: an App Store with a root certificate of its own, for tests and demonstrations.
@main
enum AppStoreSimulator {
    /// Runs until SIGTERM or SIGINT; leaves with 2 when it was called or configured wrongly, with 1 when it
    /// failed.
    @concurrent static func main() async {
        let command: SimulatorCommand
        do {
            command = try SimulatorCommand.parse()
        } catch  where SimulatorCommand.exitCode(for: error) == .success {
            print(SimulatorCommand.fullMessage(for: error))
            exit(0)
        } catch {
            leave(with: 2, saying: SimulatorCommand.message(for: error))
        }
        do {
            try await command.serve()
        } catch let error as WrongConfiguration {
            leave(with: 2, saying: error.description)
        } catch {
            leave(with: 1, saying: "\(error)")
        }
    }

    private static func leave(with code: Int32, saying message: String) -> Never {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        FileHandle.standardError.write(Data("counterfoil-appstore: \(line)\n".utf8))
        exit(code)
    }
}

/// What the operator has to change before the simulator can run.
struct WrongConfiguration: Error, CustomStringConvertible {
    let description: String
}
