import Foundation
import Glibc
import TestKit

/// Clocks that are wrong, by libfaketime.
enum Faketime {
    static let missing = "libfaketime is not installed; `apt-get install faketime` installs it"
    private static let patterns = ["/usr/lib*/faketime", "/usr/lib*/*/faketime", "/usr/local/lib/faketime"]
    private static let library = patterns.flatMap { Paths.matching($0 + "/libfaketime.so.1") }.first

    static let isInstalled = library != nil

    /// What gives a program a clock that follows a file.
    static func settings(_ program: String, _ home: TestHome) -> LooseGroup.Settings {
        .init(environment: [
            "LD_PRELOAD": library ?? "", "FAKETIME_TIMESTAMP_FILE": file(program, home),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            // The times of files do not jump with a clock.
            "NO_FAKE_STAT": "1",
        ])
    }

    /// Sets a program's clock so many seconds ahead of the true time.
    static func set(_ program: String, ahead seconds: Int, _ home: TestHome) throws {
        let text = (seconds < 0 ? "" : "+") + "\(seconds)\n"
        try Data(text.utf8).write(to: URL(filePath: file(program, home)), options: .atomic)
    }

    /// Removes what the library keeps in shared memory for each process.
    static func clean(_ pids: [pid_t]) {
        for pid in pids {
            shm_unlink("/faketime_shm_\(pid)")
            sem_unlink("/faketime_sem_\(pid)")
        }
    }

    private static func file(_ program: String, _ home: TestHome) -> String {
        "\(home.folder)/\(program).clock"
    }
}
